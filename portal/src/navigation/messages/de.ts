// The German texts that stand where no screen does.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  loading: 'Wird geladen',
  home: 'Zur Startseite',
  notFound: 'Seite nicht gefunden',
  noPage: 'Unter dieser Adresse gibt es nichts',
  noPageText: 'Prüfen Sie die Adresse auf Tippfehler. Möglicherweise wurde der Inhalt auch gelöscht.',
  refused: 'Kein Zugriff auf {title}',
  refusedText:
    'Ihre Rolle umfasst diesen Bereich nicht. Wenden Sie sich an einen Administrator Ihrer Organisation, wenn Sie ihn benötigen.',
  pageFailed: 'Diese Seite konnte nicht geladen werden',
  away: 'Der Server ist nicht erreichbar',
  awayText: 'Vielleicht startet er gerade neu. Die Seite öffnet sich von selbst, sobald er wieder antwortet.',
  filesMissing: 'Ein Teil der Seite fehlt',
  filesMissingText: 'Wir versuchen es im Hintergrund weiter. Sie können auch die ganze Seite neu laden.',
  reloadEnds: 'Beim Neuladen endet: {loss}.',
  retry: 'Erneut versuchen',
  reload: 'Seite neu laden',
  partFailed: 'Ein Teil der Seite konnte nicht geladen werden.',
}
