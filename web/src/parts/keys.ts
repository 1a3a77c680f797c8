/** Keys of the tests that this browser has set up: they open the results. */
export interface Held { id: string; key: string; title: string }

export function heldKeys(): Held[] {
  return JSON.parse(localStorage.getItem("studies") ?? "[]") as Held[];
}
export function holdKey(held: Held): void {
  localStorage.setItem("studies", JSON.stringify([held, ...heldKeys().filter(({ id }) => id !== held.id)]));
}
