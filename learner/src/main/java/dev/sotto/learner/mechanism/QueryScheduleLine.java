package dev.sotto.learner.mechanism;

import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link QuerySchedule} in one line, as ledgers have it: {@code
 * first+slots/batches*repeats*passes@noise} of each segment, then groups, points and rate where
 * they are not 1.
 */
final class QueryScheduleLine {
  private static final String GROUPS = " groups=";
  private static final String POINTS = " points=";
  private static final String RATE = " rate=";

  private QueryScheduleLine() {}

  static String of(QuerySchedule schedule) {
    List<String> parts = new ArrayList<>();
    for (Segment each : schedule.segments()) {
      parts.add(each.first() + "+" + each.slots() + "/" + each.batches() + "*" + each.repeats()
          + "*" + each.passes() + "@" + Double.toHexString(each.noise()));
    }
    Sampling sampling = schedule.sampling();
    return String.join(" ", parts)
        + (schedule.groups() == 1 ? "" : GROUPS + schedule.groups())
        + (sampling.equals(Sampling.NONE)
            ? ""
            : POINTS + sampling.points() + RATE + Double.toHexString(sampling.rate()));
  }

  static QuerySchedule parse(String line) {
    String rest = line;
    Sampling sampling = Sampling.NONE;
    int points = rest.indexOf(POINTS);
    if (points >= 0) {
      int rate = rest.indexOf(RATE, points);
      if (rate < 0) {
        throw new IllegalArgumentException(
            "points and rate are named together, but were " + rest.substring(points + 1));
      }
      sampling = new Sampling(
          Integer.parseInt(rest.substring(points + POINTS.length(), rate)),
          Double.parseDouble(rest.substring(rate + RATE.length())));
      rest = rest.substring(0, points);
    }
    int groups = 1;
    int end = rest.indexOf(GROUPS);
    if (end >= 0) {
      groups = Integer.parseInt(rest.substring(end + GROUPS.length()));
      rest = rest.substring(0, end);
    }
    List<Segment> segments = new ArrayList<>();
    for (String part : rest.split(" ")) {
      segments.add(segment(part));
    }
    return new QuerySchedule(segments, groups, sampling);
  }

  private static Segment segment(String part) {
    String[] fields = part.split("[+/*@]", -1);
    if (fields.length != 6) {
      throw new IllegalArgumentException(
          "a segment is first+slots/batches*repeats*passes@noise, but was " + part);
    }
    // The exponent of a hexadecimal number has no sign that splits it: p+ is never written.
    return new Segment(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]),
        Double.parseDouble(fields[5]));
  }
}
