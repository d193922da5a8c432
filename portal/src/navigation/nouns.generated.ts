// Made by `npm run generate` of the server's nouns; not to be changed by hand.
/** By its name: its plural, how people call it, the field that a record is called by, what ids begin with, and whether files are imported. */
export const nouns = {
  "lead": {
    "many": "leads",
    "word": "lead",
    "title": "name",
    "imported": true
  },
  "company": {
    "many": "companies",
    "word": "company",
    "title": "name",
    "prefix": "cmp",
    "imported": true
  },
  "contact": {
    "many": "contacts",
    "word": "contact",
    "title": "name",
    "prefix": "con",
    "imported": true
  }
} as const
