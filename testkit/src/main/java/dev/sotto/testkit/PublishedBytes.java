package dev.sotto.testkit;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.serdes.record.Codecs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;
import org.opentest4j.AssertionFailedError;

/**
 * Every byte that one run has published, by topic and partition, in a form that can be compared.
 */
final class PublishedBytes implements OutputListener {
  private final Map<String, List<String>> partitions = new TreeMap<>();
  private List<String> letters = new ArrayList<>();
  private int rounds;

  @Override
  public void ledger(int partition, String modelId, byte[] entry) {
    LedgerEntry decoded = Codecs.LEDGER.decode(entry);
    add("ledger", partition, "version " + decoded.round() + " of " + modelId, entry);
    rounds += (int) (decoded.round() - decoded.firstRound() + 1);
  }

  @Override
  public void snapshot(int partition, String key, byte[] value) {
    add("snapshots", partition, key, value);
  }

  @Override
  public void metrics(int partition, String modelId, byte[] value) {
    add("metrics", partition, modelId, value);
  }

  /** Letters of several tasks may come in any order. */
  @Override
  public void deadLetter(Record<byte[], byte[]> letter) {
    letters.add(header(letter, "sotto.partition") + "/" + header(letter, "sotto.offset") + " "
        + header(letter, "sotto.reason") + " " + digest(letter.value()));
  }

  private static String header(Record<byte[], byte[]> letter, String name) {
    Header header = letter.headers().lastHeader(name);
    return new String(header.value(), StandardCharsets.UTF_8);
  }

  private void add(String topic, int partition, String what, byte[] bytes) {
    partitions
        .computeIfAbsent(topic + "/" + partition, none -> new ArrayList<>())
        .add(what + " " + digest(bytes));
  }

  private static String digest(byte[] bytes) {
    return HexFormat.of().formatHex(new Sha256Fields().bytes(bytes).finish());
  }

  int rounds() {
    return rounds;
  }

  /** SHA-256 over all of it. */
  String digest() {
    Sha256Fields digest = new Sha256Fields();
    partitions.forEach((topic, records) -> text(digest, topic, records));
    text(digest, "dead letters", sorted(letters));
    return HexFormat.of().formatHex(digest.finish());
  }

  private static void text(Sha256Fields digest, String topic, List<String> records) {
    digest.bytes(topic.getBytes(StandardCharsets.UTF_8)).number(records.size());
    records.forEach(each -> digest.bytes(each.getBytes(StandardCharsets.UTF_8)));
  }

  /** Compares what another run has published with this. */
  void requireSame(PublishedBytes other, String run) {
    requireSame(sorted(letters), sorted(other.letters), run, "dead letters");
    for (String topic : partitions.keySet()) {
      requireSame(
          partitions.get(topic), other.partitions.getOrDefault(topic, List.of()), run, topic);
    }
    for (String topic : other.partitions.keySet()) {
      requireSame(
          partitions.getOrDefault(topic, List.of()), other.partitions.get(topic), run, topic);
    }
  }

  private static List<String> sorted(List<String> list) {
    return list.stream().sorted().toList();
  }

  private static void requireSame(
      List<String> expected, List<String> found, String run, String where) {
    for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
      String due = i < expected.size() ? expected.get(i) : "nothing more";
      String is = i < found.size() ? found.get(i) : "nothing more";
      if (!due.equals(is)) {
        throw new AssertionFailedError(
            run + " published something else than an undisturbed run: in " + where + ", record " + i
                + " is " + is + " instead of " + due,
            due,
            is);
      }
    }
  }
}
