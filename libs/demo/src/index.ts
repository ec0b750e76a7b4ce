export { type DemoVenue, demoClubs, demoVenues } from './clubs.ts';
export { type DemoHorse, demoHorses } from './horses.ts';
export {
	birthDateOf,
	type DemoMember,
	type DemoSignIn,
	demoMember,
	demoMembers,
	demoPassword,
	demoSignIns,
} from './members.ts';
