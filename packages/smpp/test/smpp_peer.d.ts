// The parts of the npm package `smpp` that the tests and the bench use; it comes without types.
declare module 'smpp' {
  import type { Server, Socket } from 'node:net'

  type Fields = Record<string, unknown>
  export type PeerPdu = { command: string; command_status: number; sequence_number: number } & Record<
    string,
    unknown
  > & {
      response(fields?: Fields): PeerPdu
    }
  export type PeerSession = {
    socket: Socket
    on(event: string, listener: (pdu: PeerPdu) => void): PeerSession
    send(pdu: PeerPdu, response?: (pdu: PeerPdu) => void): boolean
    close(done?: () => void): void
    destroy(done?: () => void): void
  } & Record<
    'bind_transceiver' | 'bind_receiver' | 'submit_sm' | 'deliver_sm' | 'enquire_link' | 'unbind' | 'query_sm',
    (fields: Fields, response?: (pdu: PeerPdu) => void) => boolean
  >
  const smpp: {
    createServer(listener: (session: PeerSession) => void): Server
    connect(options: { url: string }, connected?: () => void): PeerSession
  }
  // biome-ignore lint/style/noDefaultExport: it is CommonJS, which an import sees as a default export
  export default smpp
}
