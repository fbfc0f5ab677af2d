package dev.sotto.topology.fetch;

import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.requests.FetchRequest;

/**
 * The ids that topics had when the learner was started. A topic that was deleted and made again has
 * another one, by which consumers ask for its records from then on; nothing else tells it where it
 * has as many records as the first one.
 *
 * @param byName those that are known; no id of a cluster that has none
 */
public record TopicIds(Map<String, String> byName) {
  /** The setting that names them to consumers. */
  public static final String SETTING = "sotto.reader.topic.ids";

  private static final String BETWEEN = ",";
  private static final String IS = "=";

  /** Those that are known. */
  public TopicIds(Map<String, String> byName) {
    TreeMap<String, String> known = new TreeMap<>(byName);
    known.values().removeIf(Uuid.ZERO_UUID.toString()::equals);
    this.byName = Map.copyOf(known);
  }

  /** What a configuration says; nothing where it says nothing. */
  public static TopicIds of(Map<String, ?> config) {
    Object said = config.get(SETTING);
    Map<String, String> ids = new TreeMap<>();
    if (said != null && !said.toString().isEmpty()) {
      for (String each : said.toString().split(BETWEEN)) {
        ids.put(each.substring(0, each.indexOf(IS)), each.substring(each.indexOf(IS) + 1));
      }
    }
    return new TopicIds(ids);
  }

  /** What {@link #of} reads; neither names nor ids hold what stands between them. */
  public String setting() {
    return byName.entrySet().stream()
        .map(each -> each.getKey() + IS + each.getValue())
        .collect(Collectors.joining(BETWEEN));
  }

  /** The id of a topic; empty where it is not known. */
  public String id(String topic) {
    return byName.getOrDefault(topic, "");
  }

  /**
   * What is wrong with a request for records.
   *
   * @return null where it asks for those topics
   */
  UnsafeToContinueException fault(FetchRequest.Builder request) {
    for (Map.Entry<TopicPartition, FetchRequest.PartitionData> each :
        request.fetchData().entrySet()) {
      String topic = each.getKey().topic();
      Uuid now = each.getValue().topicId;
      if (byName.containsKey(topic)
          && !now.equals(Uuid.ZERO_UUID)
          && !now.toString().equals(id(topic))) {
        return madeAgain(topic);
      }
    }
    return null;
  }

  /** That a topic is not the one that was read before. */
  public static UnsafeToContinueException madeAgain(String topic) {
    return new UnsafeToContinueException("topic " + topic
        + " was deleted and made again, and its records are others. Restore it, or "
        + NewHistory.START);
  }
}
