export type { KafkaLogOptions } from './kafka/client/client.ts';
export { createKafkaLog } from './kafka/log.ts';
