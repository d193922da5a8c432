// The German texts of the session.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  noProof: 'Nichts wurde geändert: Dafür müssen Sie nachweisen, dass Sie es sind.',
  ended: 'Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an.',
  unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  unexplained:
    'Der Server hat mit einem unerwarteten Fehler geantwortet ({status}). Versuchen Sie es gleich noch einmal.',
  passwordFault: 'Das Passwort wurde nicht angenommen: {fault}.',
}
