// The worker that prepares large bodies, so that the page stays free.
import { type PreparedBody, prepareBody } from './body_work.ts'

export type WorkOrder = { id: number; body: Blob; contentType: string }
export type WorkResult = { id: number; prepared: PreparedBody } | { id: number; error: string }

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<WorkOrder>) => void) | null
  postMessage(message: WorkResult, transfer?: Transferable[]): void
}

scope.onmessage = async ({ data: { id, body, contentType } }) => {
  try {
    const prepared = prepareBody(new Uint8Array(await body.arrayBuffer()), contentType)
    const buffers = new Set([prepared.raw.starts.buffer, prepared.pretty.starts.buffer])
    scope.postMessage({ id, prepared }, [...buffers])
  } catch (error) {
    scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
}
