// What imports add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const dataImport = declareNoun({
  permissions: {
    'imports:read': {
      allows: 'List and read own imports; a Sales Manager and an Admin those of all.',
      roles: ['Sales Manager', 'Sales Executive'],
    },
    'imports:run': {
      allows: 'Import files of records, as far as one may create and change these.',
      roles: ['Sales Manager', 'Sales Executive'],
    },
  },
  events: {
    readWith: 'imports:read',
    types: {
      'import.created': 'A file to import was sent.',
      'import.updated': 'What its columns stand for, or how it is to be read, changed.',
      'import.started': 'A trial of an import, or the import itself, began.',
      'import.checked': 'A trial of an import has ended.',
      'import.completed': 'All rows of an import are done.',
      'import.canceled': 'An import was ended before all of its rows were done.',
      'import.failed': 'An import cannot go on; its problem says why.',
    },
  },
  problems: {
    csv_unreadable: problem(
      422,
      'The file is no CSV',
      'The first lines of the file have no columns that could be read.',
      'Save the table as CSV (comma, semicolon or tab between the columns, with their names in the first line) and send it again.',
    ),
    import_state: problem(
      409,
      'Not in this state',
      'The import is at work or over, and so takes no such change.',
      'Look at its state: what runs can be canceled, and a new import takes the file again.',
    ),
    import_unmapped: problem(
      422,
      'Columns are missing',
      'No column stands for a field that every record needs.',
      'Map a column to it with PATCH, or to the id where the rows are records that are there.',
    ),
    import_file_gone: problem(
      410,
      'The file is gone',
      'Files of imports are kept for 30 days, or this one lies on a machine that cannot be reached.',
      'Send the file again as a new import.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    dataImport: typeof dataImport
  }
}
