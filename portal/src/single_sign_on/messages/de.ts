// Die deutschen Texte zu Single Sign-on.
import type { Translation } from '../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'provider.things': 'Identitätsanbieter',
  'provider.about':
    'Personen einer bestätigten Domain melden sich über Ihren Identitätsanbieter an (OpenID Connect). Richten Sie ihn ein, führen Sie den Test aus, schalten Sie ihn ein, und erzwingen Sie ihn, wenn Sie möchten.',
  'provider.named': 'den Identitätsanbieter {name}',
  'provider.deleteText':
    'Niemand kann sich mehr darüber anmelden. Wer kein Passwort hat, legt eines per E-Mail fest, über „Passwort vergessen?“ auf der Anmeldeseite.',
  'provider.create': 'Identitätsanbieter hinzufügen',
  'provider.created':
    '{name} wurde hinzugefügt. Öffnen Sie die Einrichtung, registrieren Sie die Weiterleitungsadresse, und führen Sie den Test aus.',
  'provider.none': 'Noch kein Identitätsanbieter',
  'provider.noneText': 'Alle melden sich mit einem Passwort oder einem Passkey an.',
  name: 'Name',
  state: 'Status',
  issuer: 'Aussteller',
  lastTest: 'Letzter Test',
  'test.none': 'keiner',
  'test.passed': 'bestanden',
  'test.failed': 'nicht bestanden',
  'status.draft': 'Entwurf',
  'status.tested': 'getestet',
  'status.active': 'aktiv',
  'status.enforced': 'erzwungen',
  'status.disabled': 'ausgeschaltet',
  'status.verified': 'bestätigt',
  'status.lapsed': 'erloschen',
  'status.pending': 'offen',
  open: 'Öffnen',
  openNamed: 'Einrichtung von {name}',
  'move.activate': 'Einschalten',
  'move.enforce': 'Erzwingen',
  'move.disable': 'Ausschalten',
  'move.relax': 'Nicht mehr erzwingen',
  'move.draft': 'Wieder zum Entwurf machen',
  'hint.draft':
    'Registrieren Sie die Weiterleitungsadresse beim Anbieter, und führen Sie dann den Test aus. Sie melden sich dort an, hier beginnt keine Sitzung, und diese Seite zeigt, was richtig und was falsch war.',
  'hint.tested':
    'Der Test ist bestanden. Sobald Sie ihn einschalten, können sich Personen Ihrer bestätigten Domains darüber anmelden.',
  'hint.active':
    'Personen können sich darüber anmelden oder wie bisher. Wenn Sie ihn erzwingen, müssen Personen Ihrer bestätigten Domains ihn verwenden, und ihre anderen Sitzungen enden.',
  'hint.enforced':
    'Personen Ihrer bestätigten Domains können sich nur darüber anmelden, außer den Mitgliedern für Notfälle.',
  'hint.disabled': 'Niemand meldet sich darüber an.',
  enforceTitle: '{name} erzwingen?',
  enforceText:
    'Ab jetzt können sich Personen Ihrer bestätigten Domains nur noch darüber anmelden. Ihre anderen Sitzungen enden, und alle bekommen dazu eine E-Mail. Mitglieder für Notfälle behalten ihr Passwort.',
  close: 'Schließen',
  edit: 'Bearbeiten',
  run: 'Test ausführen',
  runAgain: 'Test erneut ausführen',
  redirectAddress: 'Zu registrierende Weiterleitungsadresse',
  startAddress: 'Adresse, an der die Anmeldung beginnt',
  testLog: 'Protokoll des letzten Tests',
  testAt: 'Letzter Test, <time></time>',
  'outcome.ok': 'in Ordnung',
  'outcome.note': 'Hinweis',
  'outcome.wrong': 'falsch',
  createText:
    'Legen Sie beim Anbieter eine Anwendung für Web-Anmeldungen an (OpenID Connect, Code-Flow), und geben Sie ein, was er anzeigt. Die Weiterleitungsadresse bekommen Sie danach.',
  add: 'Hinzufügen',
  editTitle: '{name} bearbeiten',
  editText: 'Ändern Sie den Aussteller oder die Client-ID, ist ein neuer Test nötig.',
  save: 'Speichern',
  issuerHint: 'Genau wie ihn der Anbieter schreibt, auch mit einem Schrägstrich am Ende.',
  clientId: 'Client-ID',
  clientSecret: 'Client-Secret',
  clientSecretKept: 'Leer lassen, um das jetzige zu behalten.',
  clientSecretNew: 'Wird verschlüsselt gespeichert und nie wieder angezeigt.',
  scopes: 'Scopes',
  createsMembers: 'Mitglieder anlegen',
  createsMembersHint:
    'Wer eine bestätigte Adresse in einer Ihrer bestätigten Domains hat, wird bei der ersten Anmeldung Mitglied.',
  defaultRole: 'Rolle neuer Mitglieder',
  roleClaim: 'Claim mit der Rolle',
  roleClaimHint: 'Der Claim des ID-Tokens, der die Gruppen einer Person nennt.',
  roleMap: 'Rollen nach diesem Claim',
  roleMapHint: 'Eine je Zeile. Die erste passende gilt bei jeder Anmeldung. Nur so wird jemand Admin.',
  strong: 'Gilt als zweiter Faktor',
  strongHint:
    'Werte von amr oder acr, durch Kommas getrennt. Sonst wird der zweite Faktor des Kontos verlangt, wo einer nötig ist.',
  emergency: 'Mitglieder für Notfälle',
  emergencyHint:
    'Sie können sich mit ihrem Passwort anmelden, auch wenn Single Sign-on erzwungen ist, für den Tag, an dem der Anbieter ausfällt. Nennen Sie mindestens einen aktiven Administrator.',
  member: 'Mitglied {id}',
  removeNamed: '{name} entfernen',
  'domain.things': 'Domains',
  'domain.about':
    'In einer bestätigten Domain bestimmt Ihre Organisation, wer Personen sind: über ihren Identitätsanbieter und über SCIM.',
  'domain.named': 'die Domain {domain}',
  'domain.domain': 'Domain',
  'domain.checked': 'Geprüft',
  'domain.deleteText':
    'Personen mit Adressen dort melden sich wieder mit einem Passwort an, und SCIM kann sie nicht mehr zu Mitgliedern machen.',
  'domain.create': 'Domain hinzufügen',
  'domain.createText': 'Der Teil hinter dem @ Ihrer Adressen. Subdomains zählen als eigene Domains.',
  'domain.created': '{domain} wurde hinzugefügt. Kopieren Sie den Eintrag in Ihr DNS, und prüfen Sie ihn dann.',
  'domain.none': 'Noch keine Domain',
  'domain.noneText': 'Single Sign-on und SCIM beginnen mit einer Domain, die nachweislich Ihnen gehört.',
  'domain.rowText':
    'Kopieren Sie das in das DNS der Domain, und lassen Sie es dort, denn es wird jede Woche geprüft. Es kann Stunden dauern, bis es sichtbar ist.',
  'domain.nothing': 'Unter diesem Namen steht nichts.',
  'domain.other': 'Unter diesem Namen steht etwas anderes.',
  scim: 'SCIM',
  'scim.about':
    'Ihr Identitätsanbieter legt Mitglieder mit Adressen in Ihren bestätigten Domains an, ändert und deaktiviert sie.',
  'scim.loading': 'Einrichtung wird geladen',
  'scim.forProvider': 'Für den Anbieter',
  'scim.address': 'Adresse',
  'scim.token':
    'Sein Token ist ein API-Schlüssel des Live-Modus, nur mit dem Scope scim:manage. Er handelt als die Person, die ihn erstellt.',
  'scim.key': 'Schlüssel erstellen',
  'scim.saved': 'Gespeichert.',
  'scim.settings': 'Einstellungen',
  'scim.enabled': 'Anfragen annehmen',
  'scim.enabledHint': 'Solange das aus ist, wird der Anbieter abgewiesen, und Mitglieder bleiben, wie sie sind.',
  'scim.map': 'Rollen und Teams nach Gruppen',
  'scim.mapHint':
    'Eine je Zeile, mit Rolle, Team oder beidem. Die Rolle kommt von der ersten Gruppe, in der jemand ist, die Teams von allen. Die Inhaberschaft und der letzte Administrator bleiben, wie sie sind.',
  'scim.keeps': 'Was der Anbieter verwaltet',
  'scim.counts':
    '{users, plural, one {# Mitglied} other {# Mitglieder}}, {groups, plural, one {# Gruppe} other {# Gruppen}}.',
  'scim.group': '{name}: {members, plural, one {# Mitglied} other {# Mitglieder}}, {gives}',
  'scim.noRole': 'keine Rolle',
  'scim.requests': 'Letzte Anfragen',
  'scim.look': 'Aktualisieren',
  'scim.requestsNone':
    'Noch keine. Führen Sie den Test des Anbieters aus: Seine Anfragen erscheinen hier, mit allem, was falsch war.',
}
