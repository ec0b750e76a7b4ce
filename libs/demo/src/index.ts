export { birthDateOf } from './birth-date.ts';
export { demoClubs } from './clubs.ts';
export { type DemoHorse, demoHorses } from './horses.ts';
export { type DemoMember, demoMember, demoMembers } from './members.ts';
export { type DemoSignIn, demoPassword, demoSignIns } from './sign-ins.ts';
export { type DemoVenue, demoVenues } from './venues.ts';
