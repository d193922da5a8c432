// Made by `npm run generate` of the server's nouns; not to be changed by hand.
export const moves = {
  "lead": {
    "New": [
      "Contacted",
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
      "Converted",
      "Unqualified"
    ],
    "Contacted": [
      "Nurturing",
      "Qualified",
      "Unqualified",
      "Junk"
    ],
    "Converted": [],
    "Unqualified": [
      "New"
    ],
    "Junk": [
      "New"
    ]
  }
} as const
