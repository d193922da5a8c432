// Made by `npm run generate` of the server's nouns; not to be changed by hand.
import type { NounDescription } from '../noun.ts'

export const leads: NounDescription = {
  "one": "lead",
  "many": "leads",
  "words": {
    "one": "lead",
    "many": "leads"
  },
  "about": "A person or an enquiry that may become a customer.",
  "fields": [
    {
      "name": "name",
      "label": "Name",
      "kind": "text",
      "about": "Name of the person or enquiry.",
      "required": true,
      "maxLength": 200,
      "filters": [
        "name",
        "name[begins]"
      ],
      "sortable": true
    },
    {
      "name": "email",
      "label": "E-mail",
      "kind": "email",
      "about": "E-mail address; required when there is no phone.",
      "filters": [
        "email",
        "email[empty]"
      ],
      "sortable": true
    },
    {
      "name": "phone",
      "label": "Phone",
      "kind": "phone",
      "about": "Telephone number; required when there is no e-mail.",
      "filters": [
        "phone",
        "phone[empty]"
      ]
    },
    {
      "name": "company",
      "label": "Company",
      "kind": "text",
      "about": "Company the person speaks for.",
      "maxLength": 200,
      "filters": [
        "company",
        "company[begins]",
        "company[empty]"
      ],
      "sortable": true
    },
    {
      "name": "priority",
      "label": "Priority",
      "kind": "choice",
      "about": "How urgent the lead is.",
      "required": true,
      "initial": "Warm",
      "choices": [
        "Hot",
        "Warm",
        "Cold"
      ],
      "filters": [
        "priority"
      ],
      "sortable": true
    },
    {
      "name": "status",
      "label": "Status",
      "kind": "state",
      "about": "Where the lead stands; a new one is New.",
      "required": true,
      "initial": "New",
      "choices": [
        "New",
        "Contacted",
        "Nurturing",
        "Qualified",
        "Converted",
        "Unqualified",
        "Junk"
      ],
      "filters": [
        "status"
      ],
      "sortable": true
    },
    {
      "name": "owner_id",
      "label": "Owner",
      "kind": "user",
      "about": "The user who works on the lead; null while nobody does.",
      "of": "user",
      "filters": [
        "owner_id"
      ]
    },
    {
      "name": "source",
      "label": "Source",
      "kind": "text",
      "about": "Where the lead came from, such as web or fair.",
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
    },
    {
      "name": "lost_reason",
      "label": "Given up because",
      "kind": "text",
      "about": "Why the lead is Unqualified, where it is required, or Junk.",
      "maxLength": 500,
      "filters": [
        "lost_reason",
        "lost_reason[begins]",
        "lost_reason[empty]"
      ],
      "sortable": true
    },
    {
      "name": "first_responded_at",
      "label": "First answer",
      "kind": "moment",
      "about": "When the lead first moved on from New; null for one that a file says had done so before.",
      "filters": [
        "first_responded_at[gte]",
        "first_responded_at[gt]",
        "first_responded_at[lte]",
        "first_responded_at[lt]",
        "first_responded_at[past]",
        "first_responded_at[empty]"
      ],
      "sortable": true,
      "fixed": true
    },
    {
      "name": "company_id",
      "label": "Company record",
      "kind": "ref",
      "about": "The record of the company that the person speaks for.",
      "of": "company",
      "filters": [
        "company_id"
      ]
    },
    {
      "name": "contact_id",
      "label": "Contact",
      "kind": "ref",
      "about": "The contact that the lead became.",
      "of": "contact",
      "filters": [
        "contact_id"
      ],
      "fixed": true
    },
    {
      "name": "converted_at",
      "label": "Converted at",
      "kind": "moment",
      "about": "When the lead was converted.",
      "filters": [
        "converted_at[gte]",
        "converted_at[gt]",
        "converted_at[lte]",
        "converted_at[lt]",
        "converted_at[past]",
        "converted_at[empty]"
      ],
      "sortable": true,
      "fixed": true
    }
  ],
  "title": "name",
  "columns": [
    "name",
    "email",
    "phone",
    "company",
    "priority",
    "status",
    "created_at"
  ],
  "facets": [
    "status",
    "priority",
    "owner_id"
  ],
  "sort": "-created_at",
  "searched": [
    "Name",
    "E-mail",
    "Phone",
    "Company"
  ],
  "moves": {
    "New": [
      "Contacted",
      "Nurturing",
      "Qualified",
      "Unqualified",
      "Junk"
    ],
    "Contacted": [
      "Nurturing",
      "Qualified",
      "Unqualified",
      "Junk"
    ],
    "Nurturing": [
      "Contacted",
      "Qualified",
      "Unqualified",
      "Junk"
    ],
    "Qualified": [
      "Contacted",
      "Nurturing",
      "Unqualified"
    ],
    "Converted": [],
    "Unqualified": [
      "New"
    ],
    "Junk": [
      "New"
    ]
  },
  "rows": {
    "owner": "owner_id",
    "own": [
      "Sales Executive"
    ]
  },
  "includes": [
    "owner_id",
    "company_id",
    "contact_id"
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
    "email",
    "phone"
  ],
  "related": []
}
