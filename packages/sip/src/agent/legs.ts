// The early dialogs that one INVITE of ours has made, one for each phone that a proxy rings (RFC 3261 §12.1, §16.7): by the
// tag of each.
import type { ReliableReceiver } from '../dialog/reliable.ts'
import type { DialogState } from '../dialog/state.ts'
import type { Session } from './session_api.ts'

export type Leg = { readonly session: Session; reliable: ReliableReceiver }

/** Lives as long as its call: legs come with provisional responses and answers, and all but one go when the call is answered. */
export class Legs {
  private readonly byTag = new Map<string, Leg>()

  /** The leg of a dialog, which has moved on; opened where there is none. */
  of(dialog: DialogState, open: () => Leg): Leg {
    const tag = dialog.remoteTag ?? ''
    let leg = this.byTag.get(tag)
    if (leg === undefined) {
      leg = open()
      this.byTag.set(tag, leg)
    }
    leg.session.dialog = dialog
    return leg
  }

  find(remoteTag: string | null | undefined): Leg | undefined {
    return this.byTag.get(remoteTag ?? '')
  }

  sessions(): Session[] {
    return [...this.byTag.values()].map(({ session }) => session)
  }

  drop({ remoteTag }: DialogState): void {
    this.find(remoteTag)?.session.close()
    this.byTag.delete(remoteTag ?? '')
  }

  dropAllBut(chosen: Session | undefined): void {
    for (const [tag, { session }] of this.byTag) {
      if (session === chosen) continue
      session.close()
      this.byTag.delete(tag)
    }
  }
}
