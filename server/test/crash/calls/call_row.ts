// A call as its row says it, read when a run is over.

export type CallRow = {
  id: string
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  state: string
  cause: string | null
  by: string | null
  parent: string | null
  createdMs: number
  dialedMs: number | null
  answeredMs: number | null
  endedMs: number | null
}
