package dev.sotto.replay.play;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks, before the first record is sent, whether a topic takes every record of a recording as it
 * is.
 */
final class TargetRules {
  private TargetRules() {}

  /**
   * Everything that is wrong with a topic; empty where nothing is.
   *
   * @param topic its settings
   * @param now in milliseconds since 1970
   */
  static List<String> faults(
      PlaySettings settings,
      int partitions,
      Map<String, String> topic,
      RecordingSummary summary,
      long now) {
    List<String> faults = new ArrayList<>();
    if (partitions < summary.partitions()) {
      faults.add("topic " + settings.topic() + " has " + partitions
          + " partitions, but the recording names partition " + (summary.partitions() - 1)
          + ": records keep their partitions. Play into a topic with at least "
          + summary.partitions());
    }
    RecordingSummary.Largest largest = summary.largest();
    boolean compressed =
        !settings.clients().getOrDefault("compression.type", "none").equals("none");
    if (largest != null
        && !compressed
        && largest.bytes() > Long.parseLong(topic.get("max.message.bytes"))) {
      faults.add(tooLarge(
          settings.topic(), largest.partition(), largest.offset(), topic.get("max.message.bytes")));
    }
    if (!settings.arrivalTimes()) {
      times(faults, settings.topic(), topic, summary, now);
    }
    return faults;
  }

  private static void times(
      List<String> faults,
      String name,
      Map<String, String> topic,
      RecordingSummary summary,
      long now) {
    if (topic.get("message.timestamp.type").equals("LogAppendTime")) {
      faults.add("topic " + name
          + " has message.timestamp.type=LogAppendTime: every record would get the time of its"
          + " arrival. Set it to"
          + " CreateTime, or accept that: --arrival-times");
      return;
    }
    if (summary.oldest() > summary.newest()) {
      return; // no record has a time
    }
    long age = now - summary.oldest();
    if (age > Long.parseLong(topic.get("message.timestamp.before.max.ms"))) {
      faults.add(refused(name, topic, "before", "oldest", summary.oldest()));
    }
    if (summary.newest() - now > Long.parseLong(topic.get("message.timestamp.after.max.ms"))) {
      faults.add(refused(name, topic, "after", "newest", summary.newest()));
    }
    long retention = Long.parseLong(topic.get("retention.ms"));
    if (topic.get("cleanup.policy").contains("delete") && retention >= 0 && age > retention) {
      faults.add("topic " + name + " deletes records after retention.ms=" + retention
          + ", which goes by their own times; the oldest of the recording is of "
          + Instant.ofEpochMilli(summary.oldest())
          + " and would be gone at once. Set retention.ms=-1, or give records the time of"
          + " their arrival: --arrival-times");
    }
  }

  private static String refused(
      String name, Map<String, String> topic, String side, String which, long time) {
    String setting = "message.timestamp." + side + ".max.ms";
    return "topic " + name + " refuses timestamps by " + setting + "=" + topic.get(setting)
        + "; the " + which + " record of the recording is of " + Instant.ofEpochMilli(time)
        + ". Raise the setting, or give records the time of their arrival: --arrival-times";
  }

  /**
   * What a record means that is larger than the topic allows.
   *
   * @param most the topic's max.message.bytes; empty where it is not known
   */
  static String tooLarge(String topic, int partition, long offset, String most) {
    return "the record at partition " + partition + ", offset " + offset
        + " of the recording is larger than topic " + topic + " allows"
        + (most.isEmpty() ? "" : " (max.message.bytes=" + most + ")")
        + "; raise max.message.bytes of the topic";
  }
}
