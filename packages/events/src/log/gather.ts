/** A follower that is busy gathers for so many times as long as its last step took … */
const SHARE = 3;
/** … but for no more than so many times as long as it gathers at rest. */
const MOST = 2;

/**
 * How long to gather before the next step, after one that was not full: at rest for `linger`, longer where steps take
 * long, as many then compete for the machine, and each costs much the same whether it holds one message or a hundred.
 * All in milliseconds.
 */
export const gatheringFor = (linger: number, stepTook: number): number =>
  Math.min(Math.max(linger, stepTook * SHARE), linger * MOST);
