// What voice takes from the settings of the process, for all who handle calls: where SIP and browsers reach it, what speaks, and
// how long things are kept.

/** Where SIP and the audio of calls listen, and what is advertised to carriers. */
export type SipSettings = {
  /** To bind. */
  address: string
  /** Of UDP and TCP; 0 takes any. */
  port: number
  /** Without a certificate there is no TLS from outside. The texts are PEM. */
  tls: { port: number; key: string; cert: string } | null
  /** The address carriers reach this process at, where that is not the one it binds. */
  advertise: string | null
  /** Phones register with it and are called by it: `sip:<user>@<domain>`. */
  domain: string
  /** Ways in which phones prove a password, best first. */
  digests: readonly ('SHA-256' | 'MD5')[]
  /** Ranges of proxies whose word on where a request came from is taken. */
  trustedProxies: readonly string[]
  rtp: { minPort: number; maxPort: number }
}

/** Where phones in browsers reach this process with their audio. */
export type WebrtcSettings = {
  /** To bind. */
  address: string
  /** The address browsers reach this process at beside those of its own. */
  advertise: string | null
  ports: { minPort: number; maxPort: number }
  /** STUN and TURN servers that browsers use. */
  iceServers: readonly string[]
  /** What passwords for those TURN servers are made of. */
  turnSecret: string | null
}

/** What speaks in calls: programs found in the folders of `path`, and an OpenAI-compatible endpoint where there is one. */
export type SpeechSettings = {
  path: string
  endpoint: { url: string; key: string | null; model: string; voice: string } | undefined
}

declare module '../../../kernel/endpoint/endpoint.ts' {
  interface Services {
    /** What speaks in calls. */
    speech: SpeechSettings
    /** Where SIP listens. */
    sip: SipSettings
    /** Where phones in browsers reach this server. */
    webrtc: WebrtcSettings
  }
}
