// The German texts of problems with records, imports and invoices.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'title.file_unreachable': 'Datei nicht erreichbar',
  'cause.file_unreachable': 'Der Speicher der Datei antwortet nicht oder hat sie nicht mehr.',
  'fix.file_unreachable': 'Versuchen Sie es später erneut. Der Grund steht im Log des Servers.',
  'title.tag_not_found': 'Kein solcher Tag',
  'cause.tag_not_found': 'Ein Tag, der Datensätzen zugeordnet werden soll, existiert nicht oder ist gelöscht.',
  'fix.tag_not_found': 'Rufen Sie die Liste der Tags mit ihren IDs ab, oder erstellen Sie den Tag zuerst.',
  'title.csv_unreadable': 'Datei ist kein CSV',
  'cause.csv_unreadable': 'In den ersten Zeilen der Datei sind keine Spalten zu erkennen.',
  'fix.csv_unreadable':
    'Speichern Sie die Tabelle als CSV (Komma, Semikolon oder Tabulator zwischen den Spalten, ihre Namen in der ersten Zeile), und senden Sie sie noch einmal.',
  'title.import_state': 'In diesem Status nicht möglich',
  'cause.import_state': 'Der Import läuft oder ist beendet und nimmt deshalb diese Änderung nicht an.',
  'fix.import_state':
    'Prüfen Sie seinen Status: Ein laufender Import lässt sich abbrechen, und ein neuer nimmt die Datei noch einmal an.',
  'title.import_unmapped': 'Spalten fehlen',
  'cause.import_unmapped': 'Keine Spalte ist einem Feld zugeordnet, das jeder Datensatz braucht.',
  'fix.import_unmapped':
    'Ordnen Sie ihm mit PATCH eine Spalte zu, oder der ID, wenn die Zeilen vorhandene Datensätze sind.',
  'title.import_file_gone': 'Datei nicht mehr vorhanden',
  'cause.import_file_gone':
    'Dateien von Importen werden 30 Tage aufbewahrt, oder diese liegt auf einem Rechner, der nicht erreichbar ist.',
  'fix.import_file_gone': 'Senden Sie die Datei noch einmal als neuen Import.',
  'title.batch_not_revertible': 'Lässt sich nicht zurücknehmen',
  'cause.batch_not_revertible': 'Die Massenänderung ist eine Zusammenführung oder läuft noch.',
  'fix.batch_not_revertible':
    'Warten Sie, bis sie fertig ist, oder brechen Sie sie ab. Eine Zusammenführung nehmen Sie von Hand zurück: Stellen Sie die Datensätze wieder her, und setzen Sie die Werte zurück.',
  'title.batch_over': 'Massenänderung beendet',
  'cause.batch_over': 'Die Massenänderung ist ganz ausgeführt, es gibt nichts mehr zu beenden.',
  'fix.batch_over': 'Nehmen Sie sie stattdessen zurück.',
  'title.lead_not_found': 'Kein solcher Lead',
  'cause.lead_not_found':
    'Der Lead, aus dem die Rechnung entstehen soll, existiert in diesem Mandanten und Modus nicht, wurde mit einem anderen zusammengeführt oder liegt im Papierkorb.',
  'fix.lead_not_found': 'Prüfen Sie die ID, oder lassen Sie lead_id weg.',
  'title.invoice_locked': 'Rechnung ist versendet',
  'cause.invoice_locked': 'Eine versendete Rechnung behält ihre Positionen, Beträge und ihren Kunden.',
  'fix.invoice_locked':
    'Ändern Sie nur Fälligkeit und Notizen, oder stornieren Sie die Rechnung, und erstellen Sie eine neue.',
  'title.empty_invoice': 'Rechnung ist leer',
  'cause.empty_invoice': 'Eine Rechnung ohne Positionen und ohne Betrag lässt sich nicht versenden.',
  'fix.empty_invoice': 'Fügen Sie mindestens eine Position oder einen Betrag hinzu.',
  'title.invoice_has_payments': 'Rechnung hat Zahlungen',
  'cause.invoice_has_payments': 'Eine Rechnung mit Zahlungen lässt sich nicht stornieren.',
  'fix.invoice_has_payments':
    'Nehmen Sie zuerst die Zahlungen zurück, wenn das Geld zurückgegeben oder die Zahlung irrtümlich erfasst wurde.',
  'title.overpayment': 'Mehr als noch offen ist',
  'cause.overpayment': 'Die Zahlung ist höher als der offene Betrag.',
  'fix.overpayment': 'Senden Sie höchstens den offenen Betrag, der in der Meldung steht.',
  'title.currency_mismatch': 'Andere Währung',
  'cause.currency_mismatch': 'Die Zahlung hat eine andere Währung als die Rechnung.',
  'fix.currency_mismatch': 'Verwenden Sie die Währung der Rechnung.',
  'title.payment_reversed': 'Zahlung ist zurückgenommen',
  'cause.payment_reversed': 'Die Zahlung wurde schon zurückgenommen und zählt nicht mehr.',
  'fix.payment_reversed': 'Es ist nichts mehr zu tun. Ist das Geld doch eingegangen, erfassen Sie eine neue Zahlung.',
}
