// Guards: every setting is read, checked and described in one place; a wrong one gets one clear line that names it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { isStartFault } from '../kernel/values/start_fault.ts'
import { loadConfig, settingsTable, unknownSettings } from './config.ts'

/** The lines of the fault that these settings cause. */
function faultLines(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    assert.ok(isStartFault(error), String(error))
    return error.lines
  }
  return assert.fail('these settings were accepted')
}

test('settings of tracing are checked like all others', () => {
  const lines = faultLines({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'secret-without-a-name',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '5 %',
  })
  assert.equal(lines.length, 4)
  assert.match(lines[0]!, /^OTEL_EXPORTER_OTLP_ENDPOINT is "?collector:4318"?: it takes an address with http/)
  assert.ok(!lines[1]!.includes('secret-without-a-name'))
  assert.match(lines[3]!, /it takes a number from 0 to 1/)
})

test('an empty environment gives the documented defaults', () => {
  assert.deepEqual(loadConfig({}), {
    port: 3000,
    host: '127.0.0.1',
    dataDir: join(process.cwd(), 'data'),
    sipAddress: '127.0.0.1',
    sipPort: 5060,
    sipDigests: ['MD5'],
    sipTlsPort: 5061,
    rtpPorts: '10000-19999',
    webrtcAddress: '0.0.0.0',
    webrtcPorts: '20000-29999',
    webrtcIceServers: [],
    speechModel: 'tts-1',
    speechVoice: 'alloy',
    speechPrograms: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
    recordings: 'disk',
    backupSchedule: '17 2 * * *',
    backupKeep: '7d 4w 12m',
    walKeepHours: 24,
    recordingDays: 0,
    retention: [],
    auditDays: 400,
    callTraceDays: 30,
    s3Region: 'us-east-1',
    otelServiceName: 'tandem',
    otelSampler: 'parentbased_traceidratio',
    otelSamplerArg: '0.05',
    adminEmail: 'admin@tandem.localhost',
    rateLimitIp: 100,
    rateLimitKey: 1000,
    testPace: 25,
    mailPerMinute: 100,
    mailPerDay: 2_000,
    trustedProxies: [],
    egressAllow: [],
    egressHosts: [],
    egressHttp: false,
    roles: ['api', 'worker', 'voice'],
    portal: true,
    demo: false,
    logLevel: 'info',
    showSecrets: false,
    logFormat: 'json',
    oauthRegistration: 'open',
    hstsSubdomains: true,
    signUp: 'closed',
    closingDays: 30,
    fiscalYears: 10,
    signingKeyDays: 90,
    databasePool: 10,
  })
  assert.equal(loadConfig({}, { terminal: true }).logFormat, 'text')
  assert.equal(loadConfig({}, { terminal: true }).showSecrets, true)
})

test('calls are taken on this machine alone while HTTP is, unless a setting opens them', () => {
  const sipAddress = (env: Record<string, string>) => loadConfig(env).sipAddress
  for (const host of ['127.0.0.1', '127.0.0.9', '::1', '::ffff:127.0.0.1', 'localhost', 'tandem.localhost'])
    assert.equal(sipAddress({ HOST: host }), '127.0.0.1', host)
  for (const host of ['0.0.0.0', '::', '192.0.2.7', '2001:db8::7', 'tandem.example.com'])
    assert.equal(sipAddress({ HOST: host }), '0.0.0.0', host)
  assert.equal(sipAddress({ TANDEM_SIP_PUBLIC_ADDRESS: '203.0.113.7' }), '0.0.0.0')
  assert.equal(sipAddress({ TANDEM_SIP_PUBLIC_ADDRESS: '127.0.0.1' }), '127.0.0.1')
  assert.equal(sipAddress({ TANDEM_SIP_ADDRESS: '192.0.2.7' }), '192.0.2.7')
  assert.equal(sipAddress({ TANDEM_SIP_ADDRESS: '127.0.0.1', HOST: '0.0.0.0' }), '127.0.0.1')
})

test('each variable is parsed into its kind, and the result cannot be changed', () => {
  const config = loadConfig({
    PORT: '0',
    HOST: '::',
    DATABASE_URL: 'postgresql://u:p@db/tandem?sslmode=verify-full',
    VALKEY_URL: 'valkey://127.0.0.1:6379',
    TANDEM_BACKUP_TO: 's3://backups/tandem/',
    TANDEM_BACKUP_SCHEDULE: '0 */6 * * 1-5',
    TANDEM_BACKUP_KEEP: '14d',
    TANDEM_WAL_KEEP: '48',
    TANDEM_BACKUP_RECIPIENT: 'age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
    TANDEM_DATA: '/var/lib/tandem',
    TANDEM_SIP_ADDRESS: '192.0.2.7',
    TANDEM_SIP_PORT: '5070',
    TANDEM_SIP_PUBLIC_ADDRESS: '203.0.113.7',
    TANDEM_SIP_DOMAIN: 'sip.example.com',
    TANDEM_SIP_DIGESTS: 'SHA-256,MD5',
    TANDEM_SIP_TLS_PORT: '5071',
    TANDEM_SIP_TLS_CERT: '/etc/tandem/cert.pem',
    TANDEM_SIP_TLS_KEY: '/etc/tandem/key.pem',
    TANDEM_RTP_PORTS: '20000-20999',
    TANDEM_WEBRTC_ADDRESS: '192.0.2.8',
    TANDEM_WEBRTC_PORTS: '30000-30999',
    TANDEM_WEBRTC_PUBLIC_ADDRESS: '203.0.113.8',
    TANDEM_WEBRTC_ICE_SERVERS: 'stun:stun.example.com, turn:turn.example.com:3478?transport=tcp',
    TANDEM_WEBRTC_TURN_SECRET: 'north star',
    TANDEM_SPEECH_URL: 'https://speech.example.com/v1/',
    TANDEM_SPEECH_KEY: 'sk-speech',
    TANDEM_SPEECH_MODEL: 'large',
    TANDEM_SPEECH_VOICE: 'ada',
    TANDEM_SPEECH_PROGRAMS: '/opt/bin',
    TANDEM_RECORDINGS: 's3://recordings.example/a/b/',
    TANDEM_RECORDING_DAYS: '90',
    TANDEM_RETENTION: 'messages=730, request_log=14:1-30',
    TANDEM_AUDIT_DAYS: '730',
    TANDEM_CALL_TRACE_DAYS: '7',
    TANDEM_S3_ENDPOINT: 'https://{bucket}.s3.example.com/',
    TANDEM_S3_REGION: 'eu-central-1',
    TANDEM_S3_ACCESS_KEY_ID: 'AKIA',
    TANDEM_S3_SECRET_ACCESS_KEY: 'wJalr',
    TANDEM_ADMIN_EMAIL: 'ada@example.com',
    TANDEM_ADMIN_PASSWORD: 'correct horse',
    TANDEM_RATE_LIMIT_IP: '5',
    TANDEM_RATE_LIMIT_KEY: '1000000',
    TANDEM_TESTS_PACE: '0',
    TANDEM_TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,192.168.1.7',
    TANDEM_SECURITY_CONTACT: 'security@example.com',
    TANDEM_EGRESS_ALLOW: 'fd00::/8',
    TANDEM_EGRESS_HOSTS: 'Hooks.example.com,*.carrier.example,203.0.113.7',
    TANDEM_EGRESS_HTTP: '1',
    TANDEM_SMTP_URL: 'smtps://user:secret@mail.example.com',
    TANDEM_MAIL_FROM: 'Example Company <office@example.com>',
    TANDEM_MAIL_PER_MINUTE: '10',
    TANDEM_MAIL_PORT: '25',
    TANDEM_MAIL_DOMAIN: 'in.example.com',
    TANDEM_MAIL_TLS_CERT: '/etc/tandem/mail.pem',
    TANDEM_MAIL_TLS_KEY: '/etc/tandem/mail_key.pem',
    TANDEM_MAIL_PER_DAY: '1000',
    TANDEM_ROLES: 'worker, api,worker',
    TANDEM_PORTAL: '0',
    TANDEM_DEMO: '1',
    TANDEM_LOG_LEVEL: 'debug',
    TANDEM_SHOW_SECRETS: '1',
    TANDEM_LOG_FORMAT: 'json',
    TANDEM_HSTS_SUBDOMAINS: '0',
    TANDEM_PUBLIC_URL: 'https://api.example.com/tandem/',
    TANDEM_OAUTH_REGISTRATION: 'documents',
    TANDEM_ROOT_KEY_FILE: '/etc/tandem/root.key',
    TANDEM_SIGNING_KEY_DAYS: '0',
    TANDEM_DATABASE_POOL: '3',
    UNRELATED: 'x',
  })
  assert.deepEqual(config, {
    port: 0,
    host: '::',
    databaseUrl: 'postgresql://u:p@db/tandem?sslmode=verify-full',
    valkeyUrl: 'redis://127.0.0.1:6379',
    backupTo: 's3://backups/tandem',
    backupSchedule: '0 */6 * * 1-5',
    backupKeep: '14d',
    walKeepHours: 48,
    backupRecipient: 'age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
    dataDir: '/var/lib/tandem',
    sipAddress: '192.0.2.7',
    sipPort: 5070,
    sipPublicAddress: '203.0.113.7',
    sipDomain: 'sip.example.com',
    sipDigests: ['SHA-256', 'MD5'],
    sipTlsPort: 5071,
    sipTlsCert: '/etc/tandem/cert.pem',
    sipTlsKey: '/etc/tandem/key.pem',
    rtpPorts: '20000-20999',
    webrtcAddress: '192.0.2.8',
    webrtcPorts: '30000-30999',
    webrtcPublicAddress: '203.0.113.8',
    webrtcIceServers: ['stun:stun.example.com', 'turn:turn.example.com:3478?transport=tcp'],
    webrtcTurnSecret: 'north star',
    speechUrl: 'https://speech.example.com/v1',
    speechKey: 'sk-speech',
    speechModel: 'large',
    speechVoice: 'ada',
    speechPrograms: '/opt/bin',
    recordings: 's3://recordings.example/a/b',
    recordingDays: 90,
    retention: ['messages=730', 'request_log=14:1-30'],
    auditDays: 730,
    callTraceDays: 7,
    s3Endpoint: 'https://{bucket}.s3.example.com',
    s3Region: 'eu-central-1',
    s3AccessKeyId: 'AKIA',
    s3SecretAccessKey: 'wJalr',
    adminEmail: 'ada@example.com',
    adminPassword: 'correct horse',
    rateLimitIp: 5,
    rateLimitKey: 1_000_000,
    testPace: 0,
    trustedProxies: ['10.0.0.0/8', '::1/128', '192.168.1.7/32'],
    securityContact: 'mailto:security@example.com',
    egressAllow: ['fd00::/8'],
    egressHosts: ['hooks.example.com', '*.carrier.example', '203.0.113.7'],
    egressHttp: true,
    smtpUrl: 'smtps://user:secret@mail.example.com',
    mailFrom: 'Example Company <office@example.com>',
    mailPerMinute: 10,
    mailPerDay: 1_000,
    mailPort: 25,
    mailDomain: 'in.example.com',
    mailTlsCert: '/etc/tandem/mail.pem',
    mailTlsKey: '/etc/tandem/mail_key.pem',
    roles: ['worker', 'api'],
    portal: false,
    demo: true,
    logLevel: 'debug',
    showSecrets: true,
    logFormat: 'json',
    publicUrl: 'https://api.example.com/tandem',
    hstsSubdomains: false,
    otelServiceName: 'tandem',
    otelSampler: 'parentbased_traceidratio',
    otelSamplerArg: '0.05',
    oauthRegistration: 'documents',
    signUp: 'closed',
    closingDays: 30,
    fiscalYears: 10,
    rootKeyFile: '/etc/tandem/root.key',
    signingKeyDays: 0,
    databasePool: 3,
  })
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.roles) && Object.isFrozen(config.trustedProxies))
})

test('a variable that is set but empty counts as not set', () => {
  assert.deepEqual(loadConfig({ PORT: '', DATABASE_URL: ' ', TANDEM_ROLES: '', TANDEM_DEMO: '' }), loadConfig({}))
})

test('a schedule is any that the queue of jobs can run', () => {
  for (const text of ['*/15 * * * *', '0 2,14 1-7 jan-mar,12 MON', '17 2 29 2 *', '0 2 31 2 mon-fri', '0 2 * * 5-7'])
    assert.equal(loadConfig({ TANDEM_BACKUP_SCHEDULE: text }).backupSchedule, text)
})

type Bad = [variable: string, value: string, remedy: RegExp]
const bad: Bad[] = [
  ['PORT', '65536', /whole number from 0 to 65535/],
  ['PORT', '-1', /whole number/],
  ['PORT', '3000.5', /whole number/],
  ['PORT', '0x10', /whole number/],
  ['TANDEM_SIP_ADDRESS', 'sip.example.com', /an IP address/],
  ['TANDEM_RTP_PORTS', '20000', /two ports/],
  ['TANDEM_WEBRTC_ICE_SERVERS', 'https://stun.example.com', /STUN and TURN/],
  ['TANDEM_WEBRTC_ICE_SERVERS', 'turn:user:secret@turn.example.com', /STUN and TURN/],
  ['TANDEM_RTP_PORTS', '20000-20001', /two ports/],
  ['TANDEM_RTP_PORTS', '20000-70000', /two ports/],
  ['HOST', 'http://example.com', /without scheme and port/],
  ['HOST', '127.0.0.1:80', /without scheme and port/],
  ['TANDEM_RECORDINGS', '/mnt/recordings', /disk, or the address of a bucket/],
  ['TANDEM_RECORDINGS', 's3://bucket/../x', /disk, or the address of a bucket/],
  ['TANDEM_RECORDING_DAYS', '-1', /whole number from 0/],
  ['TANDEM_S3_ENDPOINT', 'minio:9000', /http or https/],
  ['TANDEM_S3_REGION', 'eu central', /name of a region/],
  ['TANDEM_ADMIN_EMAIL', 'admin', /e-mail address/],
  ['TANDEM_RATE_LIMIT_IP', '0', /whole number from 1/],
  ['TANDEM_RATE_LIMIT_KEY', 'many', /whole number from 1/],
  ['TANDEM_TRUSTED_PROXIES', '10.0.0.0/33', /address ranges/],
  ['TANDEM_TRUSTED_PROXIES', '10.0.0.0/8,all', /address ranges/],
  // Octal and shortened addresses mean different ranges to different programs.
  ['TANDEM_EGRESS_ALLOW', '010.0.0.1', /address ranges/],
  ['TANDEM_EGRESS_ALLOW', '10.1/8', /address ranges/],
  ['TANDEM_EGRESS_HOSTS', 'https://hooks.example.com', /host names/],
  ['TANDEM_EGRESS_HOSTS', 'a.example,*', /host names/],
  ['TANDEM_ROLES', 'api,video', /one or more of api, worker, voice/],
  ['TANDEM_ROLES', ',', /one or more of/],
  ['TANDEM_DEMO', 'yes', /1 or 0/],
  ['TANDEM_DEMO', 'constructor', /1 or 0/],
  ['TANDEM_LOG_LEVEL', 'loud', /one of trace, debug, info/],
  ['TANDEM_LOG_FORMAT', 'pretty', /one of text, json/],
  ['TANDEM_PUBLIC_URL', 'ftp://example.com', /http or https/],
  ['TANDEM_PUBLIC_URL', 'https://example.com/?a=1', /http or https/],
  ...[
    '99 99 * * *',
    '17 24 * * *',
    '0 2 30 2 *',
    '0 2 * *',
    '0 0 2 * * *',
    '*/0 2 * * *',
    '5-1 2 * * *',
    '0 2 * * tom',
    '@daily',
  ].map((text): Bad => ['TANDEM_BACKUP_SCHEDULE', text, /cron expression of five fields/]),
  ['TANDEM_DATABASE_POOL', '0', /whole number from 1/],
]

for (const [variable, value, remedy] of bad) {
  test(`${variable}=${value} is refused in one line with name, value and remedy`, () => {
    const lines = faultLines({ [variable]: value })
    assert.equal(lines.length, 1)
    assert.ok(lines[0]!.startsWith(`${variable} is ${JSON.stringify(value)}: it takes `), lines[0]!)
    assert.match(lines[0]!, remedy)
  })
}

test('an SMTP server for mail needs a domain, and a certificate its key', () => {
  assert.match(faultLines({ TANDEM_MAIL_PORT: '25' })[0]!, /^TANDEM_MAIL_DOMAIN is not set/)
  assert.match(
    faultLines({ TANDEM_MAIL_TLS_KEY: '/key.pem' })[0]!,
    /^TANDEM_MAIL_TLS_CERT and TANDEM_MAIL_TLS_KEY go together/,
  )
})

test('the root key comes from one place, and what is set of it is not repeated', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const [line] = faultLines({ TANDEM_ROOT_KEY: key, TANDEM_ROOT_KEY_COMMAND: '/usr/bin/vault read' })
  assert.match(line!, /^TANDEM_ROOT_KEY and TANDEM_ROOT_KEY_COMMAND are set: the root key comes from one place/)
  assert.ok(!line!.includes(key))
})

test('all bad variables are reported at once', () => {
  const lines = faultLines({ PORT: 'x', TANDEM_DEMO: 'x', TANDEM_DATABASE_POOL: 'x' })
  assert.deepEqual(
    lines.map(line => line.split(' ')[0]),
    ['PORT', 'TANDEM_DEMO', 'TANDEM_DATABASE_POOL'],
  )
})

test('a bucket without the key to it is refused, with a line for each part of the key', () => {
  const lines = faultLines({ TANDEM_RECORDINGS: 's3://bucket' })
  assert.deepEqual(
    lines.map(line => line.split(' ')[0]),
    ['TANDEM_S3_ACCESS_KEY_ID', 'TANDEM_S3_SECRET_ACCESS_KEY'],
  )
})

test('the value of a secret is never repeated', () => {
  const env = {
    DATABASE_URL: 'mysql://root:hunter2@db/x',
    VALKEY_URL: 'http://:hunter2@cache',
    TANDEM_ADMIN_PASSWORD: 'hunter2',
  }
  const lines = faultLines(env)
  assert.equal(lines.length, 3)
  assert.ok(!lines.join('\n').includes('hunter2'))
})

test('the table for the README has a row with a sentence for each setting', () => {
  const rows = settingsTable().split('\n').slice(2)
  assert.equal(rows.length, 82)
  for (const row of rows) assert.match(row, /^\| `[A-Z0-9_]+` \| .+ \| .+\. \|$/)
  assert.ok(rows.includes('| `PORT` | `3000` | TCP port of the HTTP server; 0 takes any free port. |'))
  assert.ok(rows.some(row => row.startsWith('| `TANDEM_DEMO` | `0` |')))
})

test('a variable of ours that is no setting is named, with what may have been meant', () => {
  const env = {
    TANDEM_RATE_LIMT_IP: '5',
    TANDEM_COLOUR: 'red',
    TANDEM_DATA: './data',
    TANDEM_TEST_CLUSTER: 'x',
    PATH: '/bin',
  }
  assert.deepEqual(unknownSettings(env), [
    'TANDEM_RATE_LIMT_IP is no setting, and is ignored. Did you mean TANDEM_RATE_LIMIT_IP?',
    'TANDEM_COLOUR is no setting, and is ignored. README.md lists the settings.',
  ])
})

test('WAL is archived of the embedded database alone', () => {
  assert.equal(loadConfig({ TANDEM_WAL_TO: '/mnt/backups/wal' }).walTo, '/mnt/backups/wal')
  const [line] = faultLines({ TANDEM_WAL_TO: '/mnt/backups/wal', DATABASE_URL: 'postgres://db/tandem' })
  assert.match(
    line!,
    /^TANDEM_WAL_TO is for the embedded database, .* by its own tools \(pgBackRest, Barman, WAL-G\)\.$/,
  )
})
