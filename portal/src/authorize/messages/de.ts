// Die deutschen Texte der Seiten, auf denen Personen Programme zulassen.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  app: 'App zulassen',
  device: 'Gerät zulassen',
  request: 'Die Anfrage',
  over: 'Diese Anfrage ist abgelaufen',
  portal: 'Zum Portal',
  deviceIn: 'Das Gerät ist zugelassen',
  deviceOut: 'Das Gerät ist nicht zugelassen',
  deviceBack:
    'Gehen Sie zurück zum Gerät. Es macht in wenigen Sekunden von selbst weiter, und Sie können diese Seite schließen.',
  code: 'Code',
  codeHint:
    'Die acht Buchstaben auf dem Gerät. Machen Sie nur weiter, wenn Sie das selbst begonnen haben, auf einem Gerät, das vor Ihnen liegt.',
  continue: 'Weiter',
  wants: '{name} möchte für Sie handeln',
  where: 'Wo',
  'where.test': 'Test: nur Simulator und Testdaten',
  'where.live': 'Live: echte Daten, echte Personen',
  may: 'Als {person} darf es',
  mayNothing: 'Nichts. Ihre Rolle hat keine der Berechtigungen, um die es bittet.',
  duration:
    'Für höchstens {days, plural, one {# Tag} other {# Tage}}. Sie können das jederzeit unter Autorisierungen beenden, Administratoren von {organization} ebenfalls.',
  blocked: 'Ein Administrator von {organization} hat dieses Programm blockiert.',
  undecided:
    '{organization} hat dieses Programm noch nicht zugelassen. Wenden Sie sich an einen Administrator. Es steht jetzt unter Fremde Clients.',
  deny: 'Nicht zulassen',
  allow: 'Zulassen',
  who: 'Wer',
  whoRegistered: 'Registriert von {organization}',
  whoUnverified: 'Nicht geprüft: So nennt es sich selbst',
  organization: 'Organisation',
  clientId: 'Seine ID',
  answer: 'Antwort geht an',
  answerHere: '{address}, ein Programm auf diesem Computer',
  mode: 'Modus',
  missing: 'Es bittet auch um Berechtigungen, die Ihre Rolle nicht hat, und bekommt sie nicht: {list}.',
  failed: 'Der Server hat mit {status} geantwortet.',
}
