// Puts the parts together: database, credentials, limits, HTTP, queues, schedules. Apart from listening, so that tests and
// the command line build the same thing.

import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { catalog, jobMakers, meters, queueMakersOf, sentRequests, withProtocol } from './catalog.ts'
import type { Config } from './config/config.ts'
import { createLimiter } from './kernel/access/limit.ts'
import { createAuthenticator } from './kernel/access/principal.ts'
import { createTokens } from './kernel/access/tokens.ts'
import { createRefusals } from './kernel/audit/refusals.ts'
import type { ArchiveWatch } from './kernel/backup/continuous/archive_state.ts'
import type { Instance } from './kernel/boot/instance.ts'
import { type ConnectionOptions, openDb } from './kernel/data/db.ts'
import { createOutages, quietLog } from './kernel/data/outage.ts'
import { createFairQueue, createShares, createTestPace, pacesOf, quotas } from './kernel/data/quota.ts'
import { openApiDocument } from './kernel/documents/openapi.ts'
import type { Endpoint, Services } from './kernel/endpoint/endpoint.ts'
import { createStreams } from './kernel/endpoint/stream.ts'
import { buildHttp } from './kernel/http/http.ts'
import { createRunningQueues } from './kernel/jobs/running_queues.ts'
import { type Schedule, type ScheduledJob, startSchedule } from './kernel/jobs/schedule.ts'
import type { ObjectStoreSettings } from './kernel/objects/object_store.ts'
import { openObjectStores } from './kernel/objects/open_object_stores.ts'
import type { Log } from './kernel/observe/log.ts'
import { createMetrics } from './kernel/observe/metrics.ts'
import { openTracer } from './kernel/observe/open_tracer.ts'
import { describeProcess } from './kernel/observe/process_info.ts'
import { createOutbound } from './kernel/outbound/outbound.ts'
import { createRequestLog, type RequestLog } from './kernel/request_log/request_log.ts'
import type { Clock } from './kernel/values/clock.ts'
import { knownPasswordsFile, openKnownPasswords } from './modules/identity/login/index.ts'
import { issuerAt, pagesOfApps, registerOAuth, resourceMetadataAt } from './modules/identity/oauth/index.ts'
import { registerScim } from './modules/identity/scim/index.ts'
import { registerSso } from './modules/identity/sso/index.ts'
import { type MailSettings, readMailbox } from './modules/mail/settings.ts'
import { createFigureReader, heartbeats, measureInstallation } from './modules/operations/index.ts'
import { retentionOf } from './modules/privacy/retention/classes.ts'
import type { SipSettings, SpeechSettings, WebrtcSettings } from './modules/voice/engine/index.ts'
import { ownAddressOf } from './own_address.ts'
import { createPages, registerPortal, type Showing } from './portal/index.ts'
import { readAgain } from './read_again.ts'

export type AppOptions = {
  config: Config
  app: ConnectionOptions
  /** Connection of the cold-job queue, and jobs on a schedule beside those of the modules; without it no schedules run. */
  jobs?: { connection: ConnectionOptions; planned: readonly ScheduledJob[] }
  instance: Instance
  /** Of the embedded database, where it archives its WAL. */
  archive?: ArchiveWatch | undefined
  clock: Clock
  log: Log
  /** Instead of the whole catalog (tests, measurements). */
  endpoints?: readonly Endpoint[]
  /** Whether another process of this machine, with the same folder, is a worker. */
  hasWorker?: boolean
  /** Called for queues that have new rows and are not worked on here: another process of this server may. */
  elsewhere?(queue: string): void
}

export type App = {
  http: FastifyInstance
  services: Services
  /** Says that a queue of this process has new rows; nothing when it has no such queue. */
  wake(queue: string): void
  /** Starts queues and schedules, when this node has the role. */
  startWork(): Promise<void>
  /** Changes what people see who open the server's address in a browser; nothing at first. */
  showPortal(showing: Showing): void
  /** Says to /readyz that everything there is to start has started. */
  markReady(): void
  /** Writes out what is kept in memory, such as the request log. */
  flush(): Promise<void>
  /** Refuses new work, finishes what is under way, closes the database. */
  stop(): Promise<void>
}

export async function createApp({
  config,
  app,
  jobs,
  instance,
  archive,
  clock,
  log: loudLog,
  endpoints = catalog,
  hasWorker = false,
  elsewhere,
}: AppOptions): Promise<App> {
  const { keyring, signing } = instance
  const watched = await watch(config, clock, archive)
  const db = openDb({
    app,
    tracer: watched.tracer,
    poolSize: config.databasePool,
    onError: error => outages.lost(error),
  })
  const outages = createOutages({ db, log: loudLog, clock })
  const log = quietLog(loudLog, outages)
  const ownAddress = () => ownAddressOf(config, listenerOf(http.server))
  const tokens = createTokens(signing, keyring, config.publicUrl, () => issuerAt(ownAddress()))
  const authenticator = createAuthenticator({
    ...{ db, tokens, keyring, clock },
    onError: error => log.warn({ err: error }, 'revocation feed'),
    onSecrets: () => void readAgain(instance, authenticator, log),
  })
  const limiter = await createLimiter({ valkeyUrl: config.valkeyUrl, log })
  const running = createRunningQueues(log, { mayRest: config.roles.includes('api') })
  let schedule: Schedule | undefined
  let phase: 'starting' | 'ready' | 'stopping' = 'starting'
  const services: Services = {
    db,
    log,
    outages,
    clock,
    tokens,
    keyring,
    authenticator,
    limiter,
    connections: createShares(quotas.connections),
    batches: createFairQueue({ quota: quotas.batches }),
    testPace: createTestPace({ paces: pacesOf(config.testPace) }),
    refusals: createRefusals({ db, clock, log }),
    streams: createStreams({ clock, authenticate: authenticator.authenticate }),
    egress: egressOf(config),
    outbound: createOutbound({ ...egressOf(config), own: () => listenerOf(http.server), tracer: watched.tracer }),
    ...settingsOf(config, ownAddress, log),
    objects: openObjectStores(storesOf(config), clock),
    wake(name) {
      if (!running.wake(name)) elsewhere?.(name)
    },
    onWake: running.onWake,
    ...watched,
  }
  measure(services)
  const requestLog = openRequestLog(services)
  const pages = createPages(() => services.organizations.signUp)
  const http = buildHttp({
    catalog: config.roles.includes('api') ? endpoints : [],
    services,
    requestLog,
    metrics: services.metrics,
    clock,
    limits: limitsOf(config),
    ...outsideOf(config),
    resourceMetadata: () => resourceMetadataAt(ownAddress()),
    letsIn: pagesOfApps(services),
    site: pages.site,
    readiness: async () => {
      if (phase !== 'ready') return phase
      if (clock.now() - authenticator.lastPollMs() > 10_000) return 'the revocation feed is stale'
      return outages.reason()
    },
  })
  if (config.roles.includes('api')) {
    registerOAuth(http, {
      services,
      signing,
      registration: config.oauthRegistration,
      limits: { perIp: config.rateLimitIp, perKey: config.rateLimitKey },
      ownAddress,
    })
    registerSso(http, services)
    registerScim(http, services)
    registerPortal(http, {
      services,
      publicUrl: config.publicUrl,
      limitPerIp: config.rateLimitIp,
      document: () => openApiDocument(withProtocol(endpoints), sentRequests),
    })
  }

  return {
    http,
    services,
    wake: queue => void running.wake(queue),
    async startWork() {
      const { queues } = running
      queues.start(heartbeats(services)).wake()
      for (const make of queueMakersOf(config.roles, hasWorker)) queues.start(make(services, queues))
      if (config.roles.includes('worker')) schedule = await schedules(jobs, services)
    },
    showPortal: pages.show,
    markReady() {
      if (phase === 'starting') phase = 'ready'
    },
    flush: async () => void (await Promise.all([requestLog.flush(), services.refusals.flush()])),
    async stop() {
      phase = 'stopping'
      services.streams.close()
      await drain(http)
      await running.stop()
      await schedule?.stop()
      await services.outbound.close()
      await Promise.all([requestLog.close(), services.refusals.close()])
      await Promise.all([authenticator.close(), limiter.close(), watched.tracer.close()])
      outages.close()
      await db.close()
    },
  }
}

/** Starts those of the modules and the planned ones, where there is a connection for them. */
async function schedules(jobs: AppOptions['jobs'], services: Services): Promise<Schedule | undefined> {
  if (jobs === undefined) return undefined
  return startSchedule(jobs.connection, [...jobMakers.map(make => make(services)), ...jobs.planned], services)
}

/** How others come here, and what is open to whom. */
function outsideOf({ trustedProxies, publicUrl, metricsToken, securityContact, hstsSubdomains }: Config) {
  const behindProxy = trustedProxies.length > 0 || publicUrl !== undefined
  const metricsAccess = { token: metricsToken, behindProxy }
  return { trustedProxies, publicUrl, tlsOfSubdomains: hstsSubdomains, securityContact, metricsAccess }
}

/** Requests a minute. */
function limitsOf({ rateLimitIp: perIp, rateLimitKey: perKey, rateLimitUser: perUser = perKey }: Config) {
  return { perIp, perKey, perUser }
}

function egressOf({ egressAllow, egressHttp, egressHosts }: Config): Services['egress'] {
  return { allow: egressAllow, allowHttp: egressHttp, hosts: egressHosts }
}

/** What modules take from the settings of the process. */
function settingsOf(config: Config, ownAddress: () => string | undefined, log: Log) {
  const { auditDays, closingDays, fiscalYears, signUp } = config
  return {
    ownAddress,
    speech: speechOf(config),
    sip: sipOf(config),
    webrtc: webrtcOf(config),
    mail: mailOf(config),
    retention: retentionOf(config),
    auditDays,
    organizations: { closingDays, fiscalYears, signUp },
    knownPasswords: openKnownPasswords(knownPasswordsFile(config.dataDir), log),
  }
}

/** Reads the certificate, so that a wrong path is reported at the start. */
function sipOf({
  sipAddress,
  sipPort,
  sipTlsPort,
  sipTlsCert,
  sipTlsKey,
  sipPublicAddress,
  sipDomain,
  sipDigests,
  publicUrl,
  trustedProxies,
  rtpPorts,
}: Config): SipSettings {
  const [minPort = 0, maxPort = 0] = rtpPorts.split('-').map(Number)
  const tls =
    sipTlsCert === undefined || sipTlsKey === undefined
      ? null
      : { port: sipTlsPort, cert: readFileSync(sipTlsCert, 'utf8'), key: readFileSync(sipTlsKey, 'utf8') }
  const ownHost =
    publicUrl === undefined ? sipAddress.replace(/^(0\.0\.0\.0|::)$/, '127.0.0.1') : new URL(publicUrl).hostname
  return {
    address: sipAddress,
    port: sipPort,
    tls,
    advertise: sipPublicAddress ?? null,
    domain: (sipDomain ?? sipPublicAddress ?? ownHost).toLowerCase(),
    digests: sipDigests,
    trustedProxies,
    rtp: { minPort, maxPort },
  }
}

function webrtcOf({
  webrtcAddress,
  webrtcPorts,
  webrtcPublicAddress,
  webrtcIceServers,
  webrtcTurnSecret,
}: Config): WebrtcSettings {
  const [minPort = 0, maxPort = 0] = webrtcPorts.split('-').map(Number)
  return {
    address: webrtcAddress,
    advertise: webrtcPublicAddress ?? null,
    ports: { minPort, maxPort },
    iceServers: webrtcIceServers,
    turnSecret: webrtcTurnSecret ?? null,
  }
}

function mailOf(config: Config): MailSettings {
  const { smtpUrl, mailFrom, mailPerMinute, mailPerDay, publicUrl, mailPort, mailDomain, mailTlsCert, mailTlsKey } =
    config
  const host = publicUrl === undefined ? 'localhost.localdomain' : new URL(publicUrl).hostname
  const from = mailFrom === undefined ? { address: `tandem@${host}`, name: null } : readMailbox(mailFrom)
  const tls =
    mailTlsCert === undefined || mailTlsKey === undefined
      ? null
      : { cert: readFileSync(mailTlsCert, 'utf8'), key: readFileSync(mailTlsKey, 'utf8') }
  const receiving = { port: mailPort, host: config.host, domain: mailDomain?.toLowerCase(), tls }
  return { smtpUrl, from, publicUrl, perMinute: mailPerMinute, perDay: mailPerDay, receiving }
}

function speechOf({ speechUrl, speechKey, speechModel, speechVoice, speechPrograms }: Config): SpeechSettings {
  const endpoint =
    speechUrl === undefined
      ? undefined
      : { url: speechUrl, key: speechKey ?? null, model: speechModel, voice: speechVoice }
  return { path: speechPrograms, endpoint }
}

export function storesOf(config: Config): ObjectStoreSettings {
  return { ...config, folder: join(config.dataDir, 'recordings'), current: config.recordings }
}

/** What operators see of this process. */
async function watch(config: Config, clock: Clock, archive: ArchiveWatch | undefined) {
  const node = describeProcess(config.roles, foldersOf(config), clock.now())
  const tracer = await openTracer({ ...tracingOf(config), version: node.version, instanceId: node.id })
  return { metrics: createMetrics(), tracer, node, archive }
}

function tracingOf({ otelEndpoint, otelHeaders = '', otelServiceName, otelSampler, otelSamplerArg }: Config) {
  const headers = otelHeaders.split(',').filter(Boolean)
  return {
    endpoint: otelEndpoint,
    headers: Object.fromEntries(
      headers.map(part => [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]),
    ),
    serviceName: otelServiceName,
    sampler: otelSampler,
    ratio: Number(otelSamplerArg),
  }
}

/** The folders whose disks may fill, by what they are for. */
function foldersOf({ dataDir, recordings, walTo }: Config): Record<string, string> {
  return {
    data: dataDir,
    ...(recordings === 'disk' ? { recordings: join(dataDir, 'recordings') } : {}),
    ...(walTo === undefined ? {} : { wal_archive: walTo }),
  }
}

function measure(services: Services): void {
  measureInstallation(services, createFigureReader(services))
  for (const declare of meters) declare(services.metrics)
}

function openRequestLog({ db, log, metrics }: Services): RequestLog {
  const dropped = metrics.counter('tandem_request_log_dropped_total', 'Request log rows that could not be written.')
  return createRequestLog(db, (error, count) => {
    dropped.inc({}, count)
    log.warn({ err: error, dropped: count }, 'request log')
  })
}

/** Where the process listens; undefined while it does not. */
function listenerOf(server: Server): { address: string; port: number } | undefined {
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? bound : undefined
}

/** Longer than a request that has arrived may take (a statement has five seconds), less than Docker's ten to a kill. */
const drainMs = 7_000

/** Takes no new request and answers those under way. */
async function drain(http: FastifyInstance): Promise<void> {
  const closed = http.close()
  // Closing ends idle connections once and then enforces no timeout: one that falls idle later, or whose client never
  // ends its request, would hold it up.
  const idle = setInterval(() => http.server.closeIdleConnections(), 100)
  const late = setTimeout(() => http.server.closeAllConnections(), drainMs)
  try {
    await closed
  } finally {
    clearInterval(idle)
    clearTimeout(late)
  }
}
