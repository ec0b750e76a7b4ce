import { dayAfter, startOfDay, vienna } from '@paddock/calendar';
import { searchLines } from '@paddock/database';
import { migrations } from '../../services/events/src/migrations.ts';
import { copyRows, fillDatabase } from './copy-rows.ts';
import { choicesFor, inventedId } from './random-choice.ts';
import { entriesPerEvent, type RegistrySize } from './registry-size.ts';
import { inventedHorseOf } from './seed-horses.ts';
import { clubName, inventedMember } from './seed-members.ts';

const now = new Date();
const dayMs = 86_400_000;
const years = 10;
const competitionsPerEvent = 6;
const [entryFee, startFee] = [2_500, 1_500];
/** A finding by which an entry is in doubt. */
const notActive = JSON.stringify([
	{ code: 'RIDER_NOT_ACTIVE', level: 'ERROR', about: 'RIDER', message: 'The rider is not an active member.' },
]);

/** Several tables are filled from the same record, one after the other. */
function remembered<Record>(make: (index: number, size: RegistrySize) => Record) {
	let last: { readonly index: number; readonly size: RegistrySize; readonly record: Record } | undefined;
	return (index: number, size: RegistrySize): Record => {
		if (last?.index !== index || last.size !== size) last = { index, size, record: make(index, size) };
		return last.record;
	};
}

const inventedEvent = remembered(makeEvent);
const enteredOf = remembered(makeEntered);

/** The event of that index as others refer to it; the last tenth is in the future. */
function makeEvent(index: number, { events, clubs, venues }: RegistrySize) {
	const random = choicesFor('event', index);
	const day = Math.floor((index / events - 0.95) * years * 365) + random.integer(14);
	const startDate = new Date(now.getTime() + day * dayMs).toISOString().slice(0, 10);
	const state = random.integer(100);
	const status =
		state < 3 ? 'CANCELLED' : state < 6 && day > 0 ? 'DRAFT' : day < 0 ? 'COMPLETED' : 'PUBLISHED';
	const club = random.integer(clubs);
	return { id: inventedId('event', index), random, startDate, status, club, venue: random.integer(venues) };
}

/** Fills a new database with ten years of events, 150 entries each. */
export async function seedEvents(url: string, size: RegistrySize): Promise<void> {
	await fillDatabase(url, migrations, async (client) => {
		await copyRows(client, 'events', size.events, (index) => eventOf(index, size));
		await copyRows(client, 'competitions', size.events, (index) => competitionsOf(index, size));
		// They would read the lines of each entry, and sum them; both are written here.
		await client.query(
			'alter table entries disable trigger user; alter table ledger_lines disable trigger user',
		);
		await copyRows(client, 'entries', size.entries, (index) => entryOf(index, size));
		await copyRows(client, 'starts', size.entries, (index) => startsOf(index, size));
		await copyRows(client, 'ledger_lines', size.entries, (index) => linesOf(index, size));
		await client.query(
			'alter table entries enable trigger user; alter table ledger_lines enable trigger user',
		);
		await client.query(`select setval('event_numbers', ${10_000 + size.events})`);
	});
}

function eventOf(index: number, size: RegistrySize) {
	const { id, random, startDate, status, club, venue } = inventedEvent(index, size);
	const category = random.skewed(['CSN-C', 'CSN-B', 'CDN-C', 'CDN-B', 'CSN-A', 'CSNP-C', 'CDN-A', 'CSN-C*']);
	const endDate = dayAfter(startDate, random.integer(3));
	const startsAt = startOfDay(vienna, startDate);
	const name = `${random.of(['Sommer', 'Herbst', 'Frühjahrs', 'Advent'])}turnier ${clubName(club)}`;
	const eventNumber = String(10_000 + index);
	const createdAt = new Date(startsAt.getTime() - 120 * dayMs);
	return {
		id,
		eventNumber,
		name,
		description: null,
		startDate,
		endDate,
		startsAt,
		endsAt: startOfDay(vienna, dayAfter(endDate)),
		venueId: inventedId('venue', venue),
		venueName: `Reitanlage ${venue}`,
		venueCity: `Musterort ${venue % 500}`,
		venueStateCode: `AT-${1 + (venue % 9)}`,
		venueCountryCode: 'AT',
		venueTimeZone: vienna,
		organiserClubId: inventedId('club', club),
		organiserClubName: clubName(club),
		ruleset: 'OETO',
		category,
		disciplines: [category.startsWith('CD') ? 'DRESSAGE' : 'JUMPING'],
		isPublic: random.integer(20) > 0,
		entriesOpenAt: null,
		entryDeadline: new Date(startsAt.getTime() - 10 * dayMs),
		lateEntryUntil: null,
		// Less than the accepted entries: the waiting lists stay.
		maxEntries: 100,
		entryFee,
		lateSurcharge: 1_500,
		stableFee: 9_000,
		officials: JSON.stringify([{ role: 'SHOW_DIRECTOR', name: 'Turnierleitung' }]),
		status,
		cancelledReason: status === 'CANCELLED' ? 'Unwetter' : null,
		searchText: searchLines(
			name,
			eventNumber,
			`Reitanlage ${venue}`,
			`Musterort ${venue % 500}`,
			clubName(club),
			category,
		),
		createdAt,
		updatedAt: createdAt,
	};
}

function competitionsOf(index: number, size: RegistrySize) {
	const { id, startDate } = inventedEvent(index, size);
	return Array.from({ length: competitionsPerEvent }, (_, at) => ({
		id: inventedId('competition', index * competitionsPerEvent + at),
		eventId: id,
		number: at + 1,
		name: `Standardspringprüfung ${at + 1}`,
		discipline: 'JUMPING',
		level: String(85 + 10 * at),
		date: startDate,
		ageClasses: [],
		horseMinAge: 4,
		ponyOnly: false,
		startFee,
		searchText: searchLines(`Standardspringprüfung ${at + 1}`, String(85 + 10 * at), null),
	}));
}

interface Entered {
	readonly event: ReturnType<typeof inventedEvent>;
	readonly at: number;
	readonly status: string;
	readonly horse: number;
	readonly rider: number;
}

function makeEntered(index: number, size: RegistrySize): Entered {
	const eventIndex = Math.min(size.events - 1, Math.floor(index / entriesPerEvent));
	const event = inventedEvent(eventIndex, size);
	const at = index - eventIndex * entriesPerEvent;
	const random = choicesFor('entry', index);
	const step = random.integer(100);
	const regular =
		step < 88
			? 'ACCEPTED'
			: step < 90
				? 'WAITLISTED'
				: step < 97
					? 'WITHDRAWN'
					: step < 98
						? 'REJECTED'
						: 'PENDING_CONFIRMATION';
	const status = event.status === 'CANCELLED' ? 'CANCELLED' : regular;
	// A horse has one entry at an event.
	const horse = (eventIndex * 7_919 + at) % size.horses;
	return { event, at, status, horse, rider: horse % size.members };
}

function entryOf(index: number, size: RegistrySize) {
	const { event, at, status, horse, rider } = enteredOf(index, size);
	const member = inventedMember(rider, size);
	const riderName = `${member.firstName} ${member.lastName}`;
	const horseName = inventedHorseOf(horse).name;
	const isConfirmed = status !== 'PENDING_CONFIRMATION';
	const lastAt = Math.min(now.getTime(), startOfDay(vienna, event.startDate).getTime() - 12 * dayMs);
	const createdAt = new Date(lastAt - (at % 80) * dayMs - at * 60_000);
	return {
		id: inventedId('entry', index),
		eventId: event.id,
		entryNumber: at + 1,
		type: 'REGULAR',
		status,
		statusReason: null,
		position: status === 'WAITLISTED' ? at + 1 : null,
		riderMemberId: member.id,
		riderName,
		riderClubId: inventedId('club', member.club),
		riderClubName: clubName(member.club),
		riderNation: 'AT',
		riderAgeClasses: ['GENERAL'],
		horseId: inventedId('horse', horse),
		horseName,
		horseHeadNumber: null,
		horseBirthYear: 2016,
		horseSireName: null,
		horseClubId: inventedId('club', horse % size.clubs),
		horseKeeperIds: [member.id],
		isConfirmed,
		searchText: searchLines(horseName, null, isConfirmed ? riderName : null),
		checks: index % 100 === 7 ? notActive : '[]',
		amountDue:
			status === 'ACCEPTED' || status === 'WAITLISTED'
				? entryFee + startFee * startsOf(index, size).length
				: 0,
		enteredBy: inventedId('user', rider % size.users),
		createdAt,
		updatedAt: createdAt,
	};
}

/** Each second entry starts in two competitions. */
function startsOf(index: number, size: RegistrySize) {
	const { at, status, horse, rider } = enteredOf(index, size);
	const eventIndex = Math.min(size.events - 1, Math.floor(index / entriesPerEvent));
	const chosen = index % 2 === 0 ? [at % 3, 3 + (at % 3)] : [at % 6];
	return chosen.map((competition) => ({
		entryId: inventedId('entry', index),
		competitionId: inventedId('competition', eventIndex * competitionsPerEvent + competition),
		status,
		horseId: inventedId('horse', horse),
		riderMemberId: inventedId('member', rider),
		startFee,
	}));
}

/** The amount due of an entry, line by line. */
function linesOf(index: number, size: RegistrySize) {
	const { amountDue, id: entryId, enteredBy: bookedBy, createdAt: bookedAt } = entryOf(index, size);
	if (amountDue === 0) return [];
	const booked = { entryId, bookedBy, bookedAt };
	const entry = { ...booked, kind: 'ENTRY', amount: entryFee, competitionId: null, reason: 'Entry fee' };
	const starts = startsOf(index, size).map(({ competitionId }) => ({
		...booked,
		kind: 'START',
		amount: startFee,
		competitionId,
		reason: 'Start',
	}));
	return [entry, ...starts];
}
