package dev.sotto.app.page;

import dev.sotto.topology.admin.ConsumerGroup.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;

/**
 * Which instance has which partitions, and which it has taken over from another one, out of
 * descriptions of a group. Safe for use by several threads.
 */
final class InstanceHistory {
  /** As many takeovers as are remembered: the newest. */
  static final int TAKEOVERS = 20;

  private static final Pattern THREAD = Pattern.compile("(.+)-StreamThread-\\d+(-consumer)?");
  private static final Pattern UUID =
      Pattern.compile("(.*-)?([0-9a-f]{8})-[0-9a-f]{4}(-[0-9a-f]{4}){2}-[0-9a-f]{12}");

  /**
   * One process.
   *
   * @param name short, and the same after a restart that finds its state
   * @param threads that are members of the group
   * @param partitions in words
   */
  record Instance(String name, String host, int threads, String partitions) {}

  /**
   * Partitions that went from one instance to another.
   *
   * @param time when that was seen, in milliseconds since 1970
   */
  record Takeover(long time, String partitions, String from, String to) {}

  private final Map<TopicPartition, String> owners = new HashMap<>();
  private final Deque<Takeover> takeovers = new ArrayDeque<>();
  private List<Instance> instances = List.of();

  /** Takes the members of a group at a time. */
  synchronized void accept(Collection<Member> members, long time) {
    Map<String, List<Member>> byInstance = new TreeMap<>();
    for (Member each : members) {
      byInstance
          .computeIfAbsent(name(each.clientId()), name -> new ArrayList<>())
          .add(each);
    }
    List<Instance> found = new ArrayList<>();
    byInstance.forEach((name, threads) -> {
      List<TopicPartition> partitions =
          threads.stream().flatMap(each -> each.partitions().stream()).toList();
      found.add(new Instance(name, host(threads.get(0)), threads.size(), text(partitions)));
      take(name, partitions, time);
    });
    instances = List.copyOf(found);
  }

  /** While partitions have no owner, the one before is remembered: it may come back. */
  private void take(String name, List<TopicPartition> partitions, long time) {
    Map<String, List<TopicPartition>> from = new TreeMap<>();
    for (TopicPartition each : partitions) {
      String before = owners.put(each, name);
      if (before != null && !before.equals(name)) {
        from.computeIfAbsent(before, owner -> new ArrayList<>()).add(each);
      }
    }
    from.forEach((owner, taken) -> {
      takeovers.addFirst(new Takeover(time, text(taken), owner, name));
      if (takeovers.size() > TAKEOVERS) {
        takeovers.removeLast();
      }
    });
  }

  /** By name. */
  synchronized List<Instance> instances() {
    return instances;
  }

  /** The newest first. */
  synchronized List<Takeover> takeovers() {
    return List.copyOf(takeovers);
  }

  /** Of the process that a thread of Kafka Streams belongs to. */
  private static String name(String clientId) {
    Matcher thread = THREAD.matcher(clientId);
    String process = thread.matches() ? thread.group(1) : clientId;
    Matcher unique = UUID.matcher(process);
    return unique.matches() ? unique.group(2) : process;
  }

  /** Kafka writes an address after a slash. */
  private static String host(Member member) {
    return member.host().startsWith("/") ? member.host().substring(1) : member.host();
  }

  /** As in "events 0-2, 5; app.order 0". */
  private static String text(List<TopicPartition> partitions) {
    Map<String, NavigableSet<Integer>> byTopic = new LinkedHashMap<>();
    partitions.stream()
        .sorted(Comparator.comparing(TopicPartition::topic))
        .forEach(each ->
            byTopic.computeIfAbsent(each.topic(), topic -> new TreeSet<>()).add(each.partition()));
    List<String> topics = new ArrayList<>();
    byTopic.forEach((topic, numbers) -> topics.add(topic + " " + ranges(numbers)));
    return String.join("; ", topics);
  }

  private static String ranges(NavigableSet<Integer> numbers) {
    List<String> ranges = new ArrayList<>();
    Integer first = null;
    for (int each : numbers) {
      first = first == null ? each : first;
      if (!numbers.contains(each + 1)) {
        ranges.add(first == each ? first + "" : first + "-" + each);
        first = null;
      }
    }
    return String.join(", ", ranges);
  }
}
