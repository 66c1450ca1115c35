export type { KafkaLogOptions } from './kafka/client.ts';
export { createKafkaLog } from './kafka/log.ts';
