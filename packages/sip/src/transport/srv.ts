// The order in which the servers of SRV records are tried (RFC 2782): lower priorities first, and among equal ones by lot, with
// chances by weight. Chance is passed in.

export type SrvRecord = {
  readonly name: string
  readonly port: number
  readonly priority: number
  readonly weight: number
}

/** All records, in the order to try them. `random` gives 0 to below 1. */
export function orderSrv<Record extends SrvRecord>(records: readonly Record[], random: () => number): Record[] {
  const ordered: Record[] = []
  const priorities = [...new Set(records.map(record => record.priority))].sort((one, other) => one - other)
  for (const priority of priorities) {
    // Those of weight 0 stand first, so that they have a small chance (RFC 2782, "Weight").
    const left = records.filter(record => record.priority === priority)
    left.sort((one, other) => Number(one.weight !== 0) - Number(other.weight !== 0))
    while (left.length > 0) ordered.push(...left.splice(drawn(left, random), 1))
  }
  return ordered
}

/** The first whose running sum reaches a number from 0 to the sum of all weights. */
function drawn(records: readonly SrvRecord[], random: () => number): number {
  const sum = records.reduce((total, { weight }) => total + weight, 0)
  const lot = Math.floor(random() * (sum + 1))
  let running = 0
  return records.findIndex(({ weight }) => {
    running += weight
    return running >= lot
  })
}

/** RFC 2782: a lone record with the root as its target says that the service is decidedly not there. */
export function isRefusal(records: readonly SrvRecord[]): boolean {
  return records.length === 1 && (records[0]!.name === '.' || records[0]!.name === '')
}
