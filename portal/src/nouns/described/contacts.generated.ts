// Made by `npm run generate` of the server's nouns; not to be changed by hand.
import type { NounDescription } from '../noun.ts'

export const contacts: NounDescription = {
  "one": "contact",
  "many": "contacts",
  "words": {
    "one": "contact",
    "many": "contacts"
  },
  "about": "A person that one deals with, who may belong to companies.",
  "prefix": "con",
  "fields": [
    {
      "name": "name",
      "label": "Name",
      "kind": "text",
      "about": "Name of the person.",
      "required": true,
      "maxLength": 200,
      "filters": [
        "name",
        "name[begins]"
      ],
      "sortable": true
    },
    {
      "name": "job_title",
      "label": "Job title",
      "kind": "text",
      "about": "What they do, such as Head of purchasing.",
      "maxLength": 200,
      "filters": [
        "job_title",
        "job_title[begins]",
        "job_title[empty]"
      ],
      "sortable": true
    },
    {
      "name": "companies",
      "label": "Companies",
      "kind": "refs",
      "about": "Companies that they belong to, one of them the main one.",
      "of": "company",
      "filters": [
        "companies"
      ]
    },
    {
      "name": "emails",
      "label": "E-mails",
      "kind": "emails",
      "about": "E-mail addresses.",
      "filters": [
        "emails"
      ]
    },
    {
      "name": "phones",
      "label": "Phones",
      "kind": "phones",
      "about": "Telephone numbers.",
      "filters": [
        "phones"
      ]
    },
    {
      "name": "addresses",
      "label": "Addresses",
      "kind": "addresses",
      "about": "Postal addresses."
    },
    {
      "name": "birthday",
      "label": "Birthday",
      "kind": "date",
      "about": "Date of birth.",
      "filters": [
        "birthday[gte]",
        "birthday[gt]",
        "birthday[lte]",
        "birthday[lt]",
        "birthday[empty]"
      ],
      "sortable": true
    },
    {
      "name": "language",
      "label": "Language",
      "kind": "language",
      "about": "The language to write and speak to them in.",
      "filters": [
        "language",
        "language[empty]"
      ]
    },
    {
      "name": "email_consent",
      "label": "Email consent",
      "kind": "boolean",
      "about": "Whether they agreed to be sent e-mails.",
      "required": true,
      "initial": false,
      "filters": [
        "email_consent"
      ],
      "sortable": true
    },
    {
      "name": "sms_consent",
      "label": "SMS consent",
      "kind": "boolean",
      "about": "Whether they agreed to be sent text messages.",
      "required": true,
      "initial": false,
      "filters": [
        "sms_consent"
      ],
      "sortable": true
    },
    {
      "name": "call_consent",
      "label": "Call consent",
      "kind": "boolean",
      "about": "Whether they agreed to be called.",
      "required": true,
      "initial": false,
      "filters": [
        "call_consent"
      ],
      "sortable": true
    },
    {
      "name": "owner_id",
      "label": "Owner",
      "kind": "user",
      "about": "Who looks after them; null while nobody does.",
      "of": "user",
      "filters": [
        "owner_id"
      ]
    },
    {
      "name": "source",
      "label": "Source",
      "kind": "text",
      "about": "Where they came from, such as web or fair.",
      "maxLength": 100,
      "filters": [
        "source",
        "source[begins]",
        "source[empty]"
      ],
      "sortable": true
    },
    {
      "name": "notes",
      "label": "Notes",
      "kind": "long_text",
      "about": "Free text.",
      "maxLength": 10000,
      "filters": [
        "notes[empty]"
      ]
    }
  ],
  "title": "name",
  "columns": [
    "name",
    "job_title",
    "companies",
    "emails",
    "phones",
    "birthday",
    "created_at"
  ],
  "facets": [
    "owner_id"
  ],
  "sort": "-created_at",
  "searched": [
    "Name",
    "Job title",
    "E-mails",
    "Phones"
  ],
  "rows": {
    "owner": "owner_id",
    "own": [
      "Sales Executive"
    ]
  },
  "includes": [
    "companies",
    "owner_id"
  ],
  "holds": true,
  "verbs": [
    "create",
    "update",
    "delete",
    "restore",
    "bulk",
    "merge",
    "duplicates",
    "history",
    "export",
    "import"
  ],
  "maxMerged": 21,
  "match": [
    "emails",
    "phones"
  ],
  "related": [
    {
      "noun": "leads",
      "title": "Leads",
      "field": "contact_id",
      "parameter": "contact_id",
      "permission": "leads:read",
      "fixed": true
    }
  ]
}
