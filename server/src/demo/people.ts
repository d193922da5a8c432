// The people and businesses that the demo company sells to: names, addresses and how to reach them, by country. All
// of them are made up, and their mail lives under `.example` (RFC 2606 §2).
import { type City, type CountryCode, countryBy, handsets, phoneBook, pickCountry } from './places.ts'
import { createRandom, type Random } from './random.ts'

export type Segment = 'café' | 'bakery' | 'hotel' | 'restaurant' | 'office' | 'roastery'

export type Company = {
  name: string
  segment: Segment
  domain: string
  country: CountryCode
  city: City
  street: string
}

export type Person = { firstName: string; name: string; email: string; phone: string | null }

const words = (text: string) => text.split(/\s*,\s*/)

const firstNames = {
  en: words(
    'Olivia, Noah, Amelia, Liam, Maya, Ethan, Grace, Lucas, Zoe, Owen, Hannah, Caleb, Naomi, Isaac, Priya, Arjun, ' +
      'Mei, Daniel, Aisha, Omar, Camila, Diego, Ruby, Felix, Imani, Marcus, Nora, Theo, Leila, Samuel, Ines, ' +
      'Callum, Freya, Rhys, Erin, Declan, Tessa, Hugo, Joanna, Victor, Simone, Andre, Keiko, Ben, Paula, Grant, ' +
      'Yusuf, Alice, Dev, Rosa, Martin, Chiara, Peter, Nadia, Gareth, Bridget, Carlos, Monica, Ivan, Lucy',
  ),
  de: words(
    'Anna, Lukas, Marie, Jonas, Lena, Paul, Katharina, Felix, Sophie, Maximilian, Clara, Tim, Emre, Aylin, ' +
      'Birgit, Stefan, Sabine, Andreas, Johanna, Moritz, Greta, Till, Ulrike, Henning, Franziska, Oliver, Nele, ' +
      'Matthias, Svenja, Rainer',
  ),
  fr: words(
    'Camille, Louis, Chloé, Hugo, Manon, Jules, Inès, Gabriel, Élodie, Antoine, Sarah, Mathieu, Amina, Karim, ' +
      'Claire, Nicolas, Margaux, Thibault, Juliette, Bastien, Noémie, Olivier, Agathe, Romain, Véronique, Yann, ' +
      'Solène, Étienne',
  ),
  sv: words(
    'Elsa, Oskar, Maja, William, Astrid, Nils, Ebba, Axel, Saga, Gustav, Linnea, Erik, Freja, Anton, Ingrid, ' +
      'Viktor, Åsa, Björn',
  ),
}

const lastNames = {
  en: words(
    'Bennett, Carter, Okafor, Nguyen, Patel, Sullivan, Hughes, Garcia, Walker, Kim, Thompson, Mensah, Rossi, ' +
      'Campbell, Singh, Murphy, Lopez, Fletcher, Haddad, Reid, Chen, Davies, Moreau, Wallace, Ibrahim, Foster, ' +
      'Novak, Quinn, Delgado, Shaw, Kaur, Brennan, Holloway, Adeyemi, Price, Tanaka, Marsh, Ortiz, Whitfield, ' +
      'Yamada, Barnes, Kelly, Sharma, Osborne, Ferreira, Doyle, Lindgren, Abbott, Nakamura, Pearce, Vance, Romero, ' +
      'Callahan, Boateng, Hale, Winters, Ashby, Rahman, Pruitt, Langley',
  ),
  de: words(
    'Müller, Schneider, Fischer, Weber, Wagner, Becker, Hoffmann, Koch, Richter, Klein, Wolf, Neumann, Schwarz, ' +
      'Zimmermann, Krüger, Hartmann, Lange, Werner, Krause, Lehmann, Yılmaz, Köhler, Maier, Vogel, Jansen, Brandt, ' +
      'Sommer, Böhm, Engel, Kaya',
  ),
  fr: words(
    'Martin, Bernard, Dubois, Laurent, Lefèvre, Moreau, Fournier, Girard, Bonnet, Rousseau, Mercier, Blanc, ' +
      'Guérin, Faure, Chevalier, Benali, Renard, Gauthier, Perrin, Marchand, Colin, Leroux, Aubert, Barbier, ' +
      'Haddad, Picard, Royer, Vidal',
  ),
  sv: words(
    'Andersson, Johansson, Karlsson, Nilsson, Eriksson, Larsson, Olsson, Lindberg, Bergström, Sandberg, Ekström, ' +
      'Holm, Sjögren, Nyström',
  ),
}

/** Businesses are called by a word of the first list and one of their segment, or by a surname. */
const houses = {
  en: words(
    'Copper Kettle, Harbor Lane, Blue Door, Foxglove, Juniper, North Star, Old Mill, Corner, Maple & Rye, ' +
      'Lantern, Saltbox, Wren, Red Brick, Tidewater, Sunday, Third Street, Willow, Ironbridge, Larkspur, Marlowe, ' +
      'Half Moon, Greenhouse, Anchor, Paper Crane, Cobblestone, Birch, Good Morning, Station, Meridian, Orchard, ' +
      'Little Bear, Kingfisher, Ember, Clocktower, Wildflower, Bridge Street, Canary, Hazel, Summit, Driftwood',
  ),
  de: words(
    'Lindenhof, Seeblick, Morgenrot, Alte Post, Nordlicht, Kornblume, Zeitlos, Am Markt, Sonnenschein, Goldene ' +
      'Bohne, Kastanie, Hafenkante, Glückskind, Mühlenhof, Schwalbennest, Rosengarten, Elbufer, Zur Linde, Kranich, ' +
      'Zimt & Zucker',
  ),
  fr: words(
    'du Port, des Halles, Belle Rive, du Marché, de la Gare, Saint-Michel, du Canal, Bon Matin, des Artistes, Les ' +
      'Tilleuls, du Théâtre, Petit Jour, La Fontaine, du Quai, des Lilas, Vieux Moulin, du Pont Neuf, Grand Large',
  ),
  sv: words(
    'Solrosen, Björken, Gamla Bron, Norrsken, Lillängen, Kvarnen, Hamnen, Sjöboden, Ekbacken, Fyren, Torget, ' +
      'Lyktan',
  ),
}

const kinds: Record<keyof typeof houses, Record<Segment, readonly string[]>> = {
  en: {
    café: ['Café', 'Coffee', 'Coffee House', 'Espresso Bar'],
    bakery: ['Bakery', 'Bread Co.', 'Patisserie'],
    hotel: ['Hotel', 'Inn', 'Guesthouse'],
    restaurant: ['Kitchen', 'Bistro', 'Dining Room', 'Brasserie'],
    office: ['Coworking', 'Studios', 'Offices'],
    roastery: ['Roasters', 'Coffee Roasters'],
  },
  de: {
    café: ['Café', 'Kaffeehaus'],
    bakery: ['Bäckerei', 'Konditorei'],
    hotel: ['Hotel', 'Pension'],
    restaurant: ['Restaurant', 'Gasthaus'],
    office: ['Coworking', 'Büros'],
    roastery: ['Rösterei'],
  },
  fr: {
    café: ['Café', 'Comptoir'],
    bakery: ['Boulangerie', 'Pâtisserie'],
    hotel: ['Hôtel'],
    restaurant: ['Brasserie', 'Bistrot'],
    office: ['Bureaux', 'Ateliers'],
    roastery: ['Torréfaction'],
  },
  sv: {
    café: ['Kafé', 'Fik'],
    bakery: ['Bageri', 'Konditori'],
    hotel: ['Hotell', 'Pensionat'],
    restaurant: ['Restaurang', 'Krog'],
    office: ['Kontorshotell'],
    roastery: ['Rosteri'],
  },
}

const segmentShares = { café: 36, bakery: 17, hotel: 14, restaurant: 16, office: 12, roastery: 5 } as const

const streets = {
  en: words('Main Street, Mill Road, Church Street, Park Avenue, High Street, River Road, Market Street, Station Road'),
  de: words('Hauptstraße, Bahnhofstraße, Gartenweg, Schillerstraße, Lindenallee, Am Kanal, Bergstraße'),
  fr: words('rue de la République, rue du Moulin, avenue Jean Jaurès, rue des Écoles, quai de la Loire, rue Nationale'),
  sv: words('Storgatan, Kungsgatan, Skolgatan, Järnvägsgatan, Strandvägen'),
}

/** `Bäckerei Müller` → `baeckerei-mueller`: letters and digits that any mail program takes. */
function slug(text: string): string {
  const spelled = text.toLowerCase().replaceAll(/[äöüßåøæı&]/g, letter => spellings[letter] as string)
  return spelled
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
const spellings: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  å: 'a',
  ø: 'o',
  æ: 'ae',
  ı: 'i',
  '&': ' and ',
}

/** A town full of businesses and people; nobody in it is met twice. */
export type Town = {
  company(): Company
  /**
   * Somebody who works there; about one in ten leaves no number, and most in North America one of the simulator, which
   * alone can be texted and called in live mode as long as there is neither carrier nor trunk.
   */
  person(company: Company): Person
}

export function foundTown(): Town {
  const random = createRandom('town')
  const names = new Set<string>()
  const emails = new Set<string>()
  const nextNumber = phoneBook()

  function company(): Company {
    for (;;) {
      const country = pickCountry(random)
      const { language, cities } = countryBy(country)
      const segment = random.weighted(segmentShares)
      const city = random.pick(cities)
      const name = businessName(random, language, segment, city)
      if (names.has(name)) continue
      names.add(name)
      return { name, segment, country, city, domain: `${slug(name)}.example`, street: address(random, language) }
    }
  }

  function person(at: Company): Person {
    const { language, mobiles } = countryBy(at.country)
    for (;;) {
      const firstName = random.pick(firstNames[language])
      const lastName = random.pick(lastNames[language])
      const local = random.chance(0.7) ? `${slug(firstName)}.${slug(lastName)}` : slug(firstName)
      const email = `${local}@${at.domain}`
      if (emails.has(email)) continue
      emails.add(email)
      const isNear = at.country === 'US' || at.country === 'CA'
      const mobile = mobiles !== undefined && random.chance(0.5) ? random.pick(mobiles) : undefined
      const range = isNear && random.chance(0.9) ? handsets : (mobile ?? at.city.phones)
      const phone = random.chance(0.08) ? undefined : (nextNumber(random, range) ?? nextNumber(random, at.city.phones))
      return { firstName, name: `${firstName} ${lastName}`, email, phone: phone ?? null }
    }
  }

  return { company, person }
}

function businessName(random: Random, language: keyof typeof houses, segment: Segment, city: City): string {
  const kind = random.pick(kinds[language][segment])
  const surname = random.pick(lastNames[language])
  const house = random.pick(houses[language])
  if (language === 'en') {
    if (random.chance(0.25)) return `${surname} ${random.chance(0.4) ? '& Sons ' : ''}${kind}`
    return random.chance(0.3) ? `${house} ${kind} ${city.name}` : `${house} ${kind}`
  }
  const named = random.chance(0.45) ? surname : house
  const form = { de: ' GmbH', fr: ' SARL', sv: ' AB' }[language]
  return `${kind} ${named}${random.chance(0.35) ? form : ''}`
}

function address(random: Random, language: keyof typeof houses): string {
  const street = random.pick(streets[language])
  const number = random.int(1, language === 'en' ? 420 : 98)
  return language === 'en' ? `${number} ${street}` : language === 'fr' ? `${number} ${street}` : `${street} ${number}`
}

/** The postal address of a business, lines separated by line feeds. */
export function postalAddress({ name, street, city, country }: Company): string {
  const place =
    city.region === undefined
      ? country === 'GB' || country === 'IE'
        ? `${city.name}\n${city.zip}`
        : `${city.zip} ${city.name}`
      : `${city.name}, ${city.region} ${city.zip}`
  return [name, street, place, countryBy(country).name].join('\n')
}
