// Times in words, for a viewer in another time zone than the venue.

const LOCALES = { en: "en-GB" }; // British English: 12 October 2027, 17:00
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const DAY = { day: "numeric", month: "long", year: "numeric" };
const HARD = "\u00a0"; // no-break space: a date stays on one line, as in the server's HTML
const SECOND = 1000;
const AGO = [["second", 60], ["minute", 60], ["hour", 24], ["day", 7]]; // unit, how many make the next unit

const formats = new Map(); // by language and options: constructing the first one takes a phone 70 ms

/** Format a moment with a cached Intl.DateTimeFormat. */
export function format(language, moment, options) {
  const name = JSON.stringify([language, options]);
  if (!formats.has(name)) formats.set(name, new Intl.DateTimeFormat(LOCALES[language] || language, options));
  return formats.get(name).format(moment);
}

/** Return the minutes between UTC and the zone of a time such as 2027-10-12T17:00:00+02:00, as getTimezoneOffset. */
function offsetOf(isoTime) {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(isoTime) || [];
  return (sign === "-" ? 1 : -1) * (hours * 60 + Number(minutes));
}
const fill = (pattern, time) => (pattern || "{time}").replace("{time}", time);

/** Return text such as "2 minutes ago", or null after a week. */
function ago(language, moment, now) {
  let amount = Math.max(0, (now - moment) / SECOND); // the viewer's clock may be slow
  for (const [unit, limit] of AGO) {
    if (amount < limit) {
      const numeric = unit === "second" ? "auto" : "always";
      return new Intl.RelativeTimeFormat(language, { numeric }).format(unit === "second" ? 0 : -Math.floor(amount), unit);
    }
    amount /= limit;
  }
  return null;
}

/**
 * Return the text that replaces the server's `text`, or { before }, which is put in front of it. Return null if `text` is
 * right for this viewer, or if the browser lacks the zone or format. `zone` is the viewer's; the default is the browser's.
 */
export function momentWords(...moment) {
  try { return replacement(...moment); } catch { return null; }
}

function replacement(attributes, text, now, zone) {
  const isoTime = attributes.dateTime ?? attributes.datetime; // with the venue's offset
  const moment = new Date(isoTime);
  const language = attributes["data-language"] || "en";
  const venueZone = attributes["data-zone"];
  if (Number.isNaN(moment.getTime())) return null;
  if (attributes["data-when"] === "ago")
    return ago(language, moment, now) ?? format(language, moment, { ...DAY, ...CLOCK, month: "short", timeZone: zone }).replaceAll(" ", HARD);
  if (zone === undefined && offsetOf(isoTime) === moment.getTimezoneOffset()) { // the clocks are equal: no format needed
    const isToday = attributes["data-when"] === "moment" && moment.toDateString() === new Date(now).toDateString();
    return isToday && attributes["data-today"] ? { before: attributes["data-today"] } : null;
  }
  const in_ = (timeZone, options) => format(language, moment, { ...options, timeZone });
  const otherDay = in_(zone, DAY) !== in_(venueZone, DAY);
  const isSame = !otherDay && in_(zone, CLOCK) === in_(venueZone, CLOCK);
  const weekday = (timeZone) => (otherDay ? in_(timeZone, { weekday: "short" }) + HARD : "");
  const ownText = fill(attributes["data-yours"], in_(zone, CLOCK));
  const venueTime = fill(attributes["data-hall"], in_(venueZone, CLOCK));
  // keep the weekday with its time: a line breaks between the time and the text after it
  const venueText = otherDay ? weekday(venueZone) + venueTime.replace(HARD, " ") : venueTime;
  if (attributes["data-when"] === "clock") return isSame ? null : `${weekday(zone)}${ownText}, ${venueText}`;
  const date = in_(zone, DAY).replaceAll(" ", HARD);
  const dayText = (weekday) => (weekday ? `${in_(zone, { weekday: "long" })}, ` : "") + date;
  if (attributes["data-when"] === "date") {
    return otherDay ? dayText(text.includes(in_(venueZone, { weekday: "long" }))) : null;
  }
  const today = in_(zone, DAY) === format(language, now, { ...DAY, timeZone: zone }) && attributes["data-today"];
  if (isSame) return today ? { before: today } : null;
  return `${today || ""}${dayText(true)}, ${ownText}, ${venueText}`;
}
