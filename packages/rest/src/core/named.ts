/** An object of any type. */
export interface Named {
  type: string;
  id: number;
}
