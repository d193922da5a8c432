// Turns the softphone on and off, and dials. What it takes to make calls is fetched when it is wanted.

import { t } from './frame/texts.ts'
import { changePhone, type Dialing, phoneState, resetPhone } from './store.ts'

const signaling = () => import('./signaling.ts')

export async function turnPhoneOn(): Promise<void> {
  changePhone({ isOn: true, isAsking: true, fault: null, note: null })
  const { askForMicrophone } = await signaling()
  const fault = await askForMicrophone()
  // Somebody may have called from a row meanwhile.
  changePhone({ isAsking: false, fault, isDialing: fault === null && phoneState().call === undefined })
}

export async function turnPhoneOff(): Promise<void> {
  const { hangUp } = await signaling()
  if (phoneState().call !== undefined) await hangUp()
  resetPhone()
}

export async function dial(dialing: Dialing): Promise<void> {
  if (phoneState().call !== undefined) {
    changePhone({ note: t('oneCall') })
    return
  }
  const { dialOut } = await signaling()
  await dialOut(dialing)
}
