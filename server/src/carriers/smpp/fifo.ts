// First in, first out, without moving the rest for each one that goes: what waits for a link may be thousands of messages.

/** Lives as long as its owner; what was taken is let go of by the thousand. */
export class Fifo<Item> {
  private items: Item[] = []
  private head = 0

  add(item: Item): void {
    this.items.push(item)
  }

  first(): Item | undefined {
    return this.items[this.head]
  }

  takeFirst(): void {
    this.head++
    if (this.head < 1_000 && this.head < this.items.length) return
    this.items = this.items.slice(this.head)
    this.head = 0
  }

  /** Those that pass the test, in their order; the rest stays. */
  takeIf(test: (item: Item) => boolean): Item[] {
    const all = this.items.slice(this.head)
    this.head = 0
    this.items = all.filter(item => !test(item))
    return all.filter(test)
  }

  takeAll(): Item[] {
    return this.takeIf(() => true)
  }
}
