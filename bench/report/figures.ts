/** What a run of requests came to. Times in milliseconds. */
export interface Figure {
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
}
