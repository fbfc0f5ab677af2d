package dev.sotto.topology.settings;

import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/** The settings of the topics of a learner, by what is kept in them and for how long. */
public final class TopicSettings {
  /** For how long a topic keeps records. */
  public static final String RETENTION = "retention.ms";

  /** The setting that says whose timestamps records have. */
  public static final String TIMESTAMPS = "message.timestamp.type";

  /** Those of the broker that appended them. */
  public static final String ARRIVAL = "LogAppendTime";

  /** For how long a compacted topic tells of a deleted key. */
  public static final String DELETIONS = "delete.retention.ms";

  /** That time of changelogs, at least: as long as by Kafka's default. */
  public static final Duration DELETIONS_KEPT = Duration.ofDays(1);

  private static final String POLICY = "cleanup.policy";
  private static final String BYTES = "retention.bytes";
  private static final String SEGMENT = "segment.bytes";
  private static final String FOREVER = "-1";

  /** Small, so that compaction, which leaves the segment in use alone, has something to do. */
  private static final String SMALL_SEGMENT = Integer.toString(16 << 20);

  /** What lies in the segment in use stays beyond its time. */
  private static final String MEDIUM_SEGMENT = Integer.toString(64 << 20);

  private static final String WEEK = Long.toString(Duration.ofDays(7).toMillis());

  /** Of dead letters in one partition: whoever sends nothing but faulty events fills no disk. */
  private static final String LETTERS = Long.toString(1L << 30);

  private TopicSettings() {}

  /** Settings by name. */
  public static SortedMap<String, String> of(String... namesAndValues) {
    SortedMap<String, String> all = new TreeMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return all;
  }

  /** The same for records that may be large: chunks and dead letters are cut to fit it. */
  public static SortedMap<String, String> large(SortedMap<String, String> settings) {
    SortedMap<String, String> all = new TreeMap<>(settings);
    all.put("max.message.bytes", "1048588"); // Kafka's own default
    return all;
  }

  /** Of users' topics whose times count. */
  public static SortedMap<String, String> datedByBrokers() {
    return of(TIMESTAMPS, ARRIVAL);
  }

  /** Nothing ever vanishes. */
  public static SortedMap<String, String> keptForEver() {
    return of(POLICY, "delete", TIMESTAMPS, ARRIVAL, BYTES, FOREVER, RETENTION, FOREVER);
  }

  /** Kept for as long as the events, of whose topic the learner takes the time at the start. */
  public static SortedMap<String, String> keptAsEvents() {
    return of(POLICY, "delete", TIMESTAMPS, ARRIVAL, BYTES, FOREVER, RETENTION, WEEK);
  }

  /** Kept for a week. */
  public static SortedMap<String, String> keptForAWeek() {
    return of(POLICY, "delete", TIMESTAMPS, ARRIVAL, RETENTION, WEEK);
  }

  /** Of dead letters. */
  public static SortedMap<String, String> letters() {
    SortedMap<String, String> all = large(keptForAWeek());
    all.put(BYTES, LETTERS);
    all.put(SEGMENT, MEDIUM_SEGMENT);
    return all;
  }

  /** Only the newest of every key counts. */
  public static SortedMap<String, String> newestOnly() {
    return of(POLICY, "compact", TIMESTAMPS, ARRIVAL, SEGMENT, SMALL_SEGMENT);
  }

  /** The newest of every key, and for a while the others. */
  public static SortedMap<String, String> newestBehind(Duration history) {
    SortedMap<String, String> all =
        large(of(POLICY, "compact", TIMESTAMPS, ARRIVAL, SEGMENT, MEDIUM_SEGMENT));
    all.put("min.compaction.lag.ms", Long.toString(history.toMillis()));
    return all;
  }

  /** Of changelogs, whose segments Streams has set. */
  public static SortedMap<String, String> changelog() {
    String deletions = Long.toString(DELETIONS_KEPT.toMillis());
    return of(POLICY, "compact", TIMESTAMPS, ARRIVAL, DELETIONS, deletions);
  }
}
