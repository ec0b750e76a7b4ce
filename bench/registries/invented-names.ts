import type { RandomChoice } from './random-choice.ts';

// Common names are repeated, as in reality: names shared by many people make a search slow.
const firstNames = [
	...['Anna', 'Anna', 'Anna', 'Maria', 'Maria', 'Maria', 'Julia', 'Lena', 'Sophie', 'Johanna', 'Katharina'],
	...[
		'Lukas',
		'David',
		'Felix',
		'Michael',
		'Michael',
		'Thomas',
		'Andreas',
		'Stefan',
		'Jörg',
		'Jürgen',
		'Günther',
	],
	...[
		'Theresa',
		'Magdalena',
		'Valentina',
		'Hannah',
		'Eva',
		'Mia',
		'Ida',
		'Zoë',
		'Renée',
		'Žofie',
		'Björn',
		'Sören',
	],
	...[
		'Martin',
		'Manuel',
		'Markus',
		'Max',
		'Paul',
		'Simon',
		'Tobias',
		'Florian',
		'Karl',
		'Franz',
		'Josef',
		'Anna-Maria',
	],
] as [string, ...string[]];
const beginnings = [
	...['Ober', 'Unter', 'Hinter', 'Vorder', 'Mitter', 'Hoch', 'Nieder', 'Alt', 'Neu', 'Groß', 'Klein', 'Lang'],
	...[
		'Grün',
		'Weiß',
		'Schwarz',
		'Röt',
		'Stein',
		'Wald',
		'Berg',
		'Tal',
		'Bach',
		'See',
		'Moor',
		'Wies',
		'Äcker',
		'Öd',
	],
] as [string, ...string[]];
const middles = ['', '', 'en', 'er', 'l', 'n', 'in', 'el'] as [string, ...string[]];
const endings = [
	...[
		'huber',
		'gruber',
		'mayr',
		'müller',
		'bauer',
		'hofer',
		'moser',
		'egger',
		'bacher',
		'steiner',
		'leitner',
		'lehner',
	],
	...[
		'reiter',
		'brunner',
		'schön',
		'kögl',
		'stöckl',
		'thaler',
		'wirth',
		'mann',
		'feld',
		'berger',
		'zügl',
		'lärcher',
	],
] as [string, ...string[]];
const horseFirst = [
	'Donner',
	'Sturm',
	'Nebel',
	'Morgen',
	'Abend',
	'Silber',
	'Gold',
	'Feder',
	'Früh',
	'Herbst',
] as [string, ...string[]];
const horseSecond = [
	'hall',
	'vogel',
	'horn',
	'tau',
	'glut',
	'pfeil',
	'laub',
	'duft',
	'blüte',
	'stein',
	'licht',
] as [string, ...string[]];

export function inventedPerson(random: RandomChoice): { firstName: string; lastName: string } {
	const surname = () =>
		random.integer(30) === 0
			? 'Müller'
			: `${random.skewed(beginnings)}${random.skewed(middles)}${random.skewed(endings)}`;
	const lastName = random.integer(25) === 0 ? `${surname()}-${surname()}` : surname();
	return { firstName: random.skewed(firstNames), lastName };
}

export function inventedHorse(random: RandomChoice): string {
	const name = `${random.of(horseFirst)}${random.of(horseSecond)}`;
	return random.integer(3) === 0 ? `${name} vom ${random.of(beginnings)}${random.of(middles)}hof` : name;
}
