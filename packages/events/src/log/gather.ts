/** A follower that is busy gathers for so many times as long as its last step took … */
const SHARE = 3;
/** … but for no more than so many times as long as it gathers at rest. */
const MOST = 2;
/** With so many messages in a step, there is a load. */
const MANY = 20;

/**
 * How long to gather before the next step, after one that was not full: at rest for `linger`, longer where steps take
 * long or hold many messages, as many then compete for the machine, and each costs much the same whether it holds one
 * message or a hundred. Times are in milliseconds.
 */
export const gatheringFor = (linger: number, stepTook: number, messages: number): number =>
  messages >= MANY ? linger * MOST : Math.min(Math.max(linger, stepTook * SHARE), linger * MOST);
