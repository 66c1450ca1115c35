/**
 * An object as an event about it would show it: JSON texts of its representation and of its snapshot, without secrets,
 * addresses without host.
 */
export interface ObjectSnapshot {
  id: number;
  version: number;
  display: string;
  data: string;
  snapshot: string;
}
