// Whether there is anything for a process that carries calls: asked by a server that has none yet.
import type { Db } from '../../../kernel/data/db.ts'

/** A trunk that is switched on, a SIP credential, a connected browser, a call, or the end of one that its remote party was not notified of. */
export async function isVoiceWanted(db: Db): Promise<boolean> {
  const rows = await db.work<{ wanted: boolean }>('voice_wanted', 'select voice_wanted() as wanted', [])
  return rows[0]?.wanted === true
}
