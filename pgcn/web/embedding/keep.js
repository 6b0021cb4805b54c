// What was chosen stays when the same run is embedded in another way.

// What a link asks to be shown first.
const asked = ({ at, node, colour, counted }) => JSON.stringify([at, node, colour, counted]);

// A replay as it is to begin: with the choices made before, if it is of the same run and no link asks for something else.
export function asChosen(replay, before, chosen) {
  const wish = asked(replay), same = Boolean(before?.run) && before.run === replay.run && before.asked === wish;
  return { ...replay, ...(same ? chosen() : {}), asked: wish };
}
