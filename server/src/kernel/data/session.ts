// How a session of the database begins. What a connection wants set (`-c name=value` in its options: time limits, a role) is set
// by a statement once it is open: a pooler in between refuses such options in the startup packet, or drops them without a word.
import pg from 'pg'

/** As `pg` takes them. Settings stand in `options` as libpq writes them, `-c name=value` one after the other. */
export type ConnectionOptions = pg.ClientConfig

/** Our queries are small and many: compiling one takes a hundred times as long as running it. */
const noCompiling = '-c jit=off'

const setting = /(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)/g

type Opening = { startup: ConnectionOptions; settings: [name: string, value: string][] }

/** What goes into the startup packet, and what is set afterwards, in the order of `options`. */
function openingOf(options: ConnectionOptions): Opening {
  const { options: text = '', ...startup } = options
  const all = `${noCompiling} ${text}`
  const settings = [...all.matchAll(setting)].map(([, name = '', value = '']): [string, string] => [
    name.replaceAll('-', '_'),
    value.replaceAll(/\\(.)/g, '$1'),
  ])
  // Switches that are no settings cannot be given later.
  const rest = text.replaceAll(setting, '').trim()
  return { startup: rest === '' ? startup : { ...startup, options: rest }, settings }
}

/** Options for a pool whose connections are only handed out when what they want is set. */
export function poolOptions(options: ConnectionOptions): pg.PoolConfig {
  const { startup, settings } = openingOf(options)
  return { ...startup, onConnect: client => applySettings(client, settings) } as pg.PoolConfig
}

/**
 * Opens a connection with what it wants set. One that is lost between two queries fails the next one, which reports it better; `made`
 * sees the client before it connects, to hear of it at once.
 */
export async function connectClient(
  options: ConnectionOptions,
  made?: (client: pg.Client) => void,
): Promise<pg.Client> {
  const { startup, settings } = openingOf(options)
  const client = new pg.Client(startup)
  client.on('error', () => {})
  made?.(client)
  try {
    await client.connect()
    await applySettings(client, settings)
    return client
  } catch (error) {
    void client.end().catch(() => {})
    throw error
  }
}

async function applySettings(client: pg.ClientBase, settings: Opening['settings']): Promise<void> {
  const calls = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`)
  await client.query(`select ${calls.join(', ')}`, settings.flat())
}
