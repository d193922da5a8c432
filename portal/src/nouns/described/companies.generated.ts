// Made by `npm run generate` of the server's nouns; not to be changed by hand.
import type { NounDescription } from '../noun.ts'

export const companies: NounDescription = {
  "one": "company",
  "many": "companies",
  "words": {
    "one": "company",
    "many": "companies"
  },
  "about": "An organization that is a customer or may become one.",
  "prefix": "cmp",
  "fields": [
    {
      "name": "name",
      "label": "Name",
      "kind": "text",
      "about": "Name of the company.",
      "required": true,
      "maxLength": 200,
      "filters": [
        "name",
        "name[begins]"
      ],
      "sortable": true
    },
    {
      "name": "domain",
      "label": "Domain",
      "kind": "domain",
      "about": "Its internet domain, such as example.com.",
      "filters": [
        "domain",
        "domain[empty]"
      ],
      "sortable": true
    },
    {
      "name": "phone",
      "label": "Phone",
      "kind": "phone",
      "about": "Main telephone number.",
      "filters": [
        "phone",
        "phone[empty]"
      ]
    },
    {
      "name": "industry",
      "label": "Industry",
      "kind": "choice",
      "about": "Line of business.",
      "choices": [
        "Retail",
        "Manufacturing",
        "Services",
        "Public",
        "Other"
      ],
      "filters": [
        "industry",
        "industry[empty]"
      ],
      "sortable": true
    },
    {
      "name": "annual_revenue",
      "label": "Annual revenue",
      "kind": "money",
      "about": "Revenue of a year.",
      "filters": [
        "annual_revenue[gte]",
        "annual_revenue[lte]"
      ]
    },
    {
      "name": "addresses",
      "label": "Addresses",
      "kind": "addresses",
      "about": "Where it is."
    },
    {
      "name": "owner_id",
      "label": "Owner",
      "kind": "user",
      "about": "Who looks after it; null while nobody does.",
      "of": "user",
      "filters": [
        "owner_id"
      ]
    },
    {
      "name": "parent_id",
      "label": "Parent",
      "kind": "ref",
      "about": "The company that it belongs to.",
      "of": "company",
      "filters": [
        "parent_id"
      ]
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
    "domain",
    "phone",
    "industry",
    "annual_revenue",
    "owner_id",
    "created_at"
  ],
  "facets": [
    "industry",
    "owner_id"
  ],
  "sort": "-created_at",
  "searched": [
    "Name",
    "Domain",
    "Phone"
  ],
  "rows": {
    "owner": "owner_id",
    "own": [
      "Sales Executive"
    ]
  },
  "includes": [
    "owner_id",
    "parent_id"
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
    "domain",
    "phone",
    "name"
  ],
  "related": [
    {
      "noun": "leads",
      "title": "Leads",
      "field": "company_id",
      "parameter": "company_id",
      "permission": "leads:read"
    },
    {
      "noun": "companies",
      "title": "Companies below it",
      "field": "parent_id",
      "parameter": "parent_id",
      "permission": "companies:read"
    },
    {
      "noun": "contacts",
      "title": "Contacts",
      "field": "companies",
      "parameter": "companies",
      "permission": "contacts:read"
    }
  ]
}
