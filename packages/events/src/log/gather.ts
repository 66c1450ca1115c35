/** A busy follower gathers for this many times as long as its last step took … */
const SHARE = 3;
/** … but for at most this many times as long as at rest. */
const MOST = 2;
/** A step with at least this many messages counts as load. */
const MANY = 20;

/**
 * How long to gather before the next step, after one that was not full: `linger` at rest, and longer when steps take
 * long or hold many messages. Many followers then compete for the machine, and a step costs about the same whether it
 * holds one message or a hundred. Times are in milliseconds.
 */
export const gatheringFor = (linger: number, stepTook: number, messages: number): number =>
  messages >= MANY ? linger * MOST : Math.min(Math.max(linger, stepTook * SHARE), linger * MOST);
