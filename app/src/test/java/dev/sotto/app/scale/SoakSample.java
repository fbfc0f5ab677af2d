package dev.sotto.app.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * What a learner takes at some moment.
 *
 * @param heap bytes in use after the last collection of the running process that has most
 * @param stateFolders bytes of the largest state folder
 * @param changelogs bytes of all its changelogs
 * @param lag records of the topic that the group reads and has not committed
 */
record SoakSample(long heap, long stateFolders, long changelogs, long lag) {
  private static final long MEGABYTE = 1 << 20;

  static SoakSample of(Admin admin, Path home, String app, String topic) throws Exception {
    long heap = 0;
    long state = 0;
    try (Stream<Path> all = Files.list(home)) {
      for (Path each : all.toList()) {
        if (each.toString().endsWith(".gc")) {
          heap = Math.max(heap, lastCollection(each));
        } else if (each.getFileName().toString().startsWith("state-")) {
          state = Math.max(state, bytes(each));
        }
      }
    }
    return new SoakSample(heap, state, changelogs(admin, app), lag(admin, app, topic));
  }

  /** The least of each third of a minute hides garbage; so the largest of these counts. */
  static SoakSample worst(List<SoakSample> samples) {
    return new SoakSample(
        median(samples, SoakSample::heap),
        most(samples, SoakSample::stateFolders),
        most(samples, SoakSample::changelogs),
        median(samples, SoakSample::lag));
  }

  private static long most(List<SoakSample> samples, ToLongFunction<SoakSample> what) {
    return samples.stream().mapToLong(what).max().orElse(0);
  }

  private static long median(List<SoakSample> samples, ToLongFunction<SoakSample> what) {
    return samples.stream()
        .mapToLong(what)
        .sorted()
        .skip(samples.size() / 2)
        .findFirst()
        .orElse(0);
  }

  private static long lastCollection(Path log) throws IOException {
    List<Long> left = CollectorLog.left(log);
    return left.isEmpty() ? 0 : left.get(left.size() - 1) * MEGABYTE;
  }

  /** Files may go while they are counted. */
  private static long bytes(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.mapToLong(each -> each.toFile().isFile() ? each.toFile().length() : 0)
          .sum();
    } catch (UncheckedIOException | NoSuchFileException gone) {
      return 0;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static long changelogs(Admin admin, String app) throws Exception {
    int node = admin.describeCluster().nodes().get().iterator().next().id();
    return admin.describeLogDirs(List.of(node)).allDescriptions().get().values().stream()
        .flatMap(folders -> folders.values().stream())
        .flatMap(folder -> folder.replicaInfos().entrySet().stream())
        .filter(each -> each.getKey().topic().startsWith(app + "-")
            && each.getKey().topic().endsWith("-changelog"))
        .mapToLong(each -> each.getValue().size())
        .sum();
  }

  static long lag(Admin admin, String app, String topic) throws Exception {
    int count = admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get()
        .get(topic)
        .partitions()
        .size();
    Map<TopicPartition, OffsetSpec> asked = IntStream.range(0, count)
        .mapToObj(each -> new TopicPartition(topic, each))
        .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
    Map<TopicPartition, OffsetAndMetadata> done =
        admin.listConsumerGroupOffsets(app).partitionsToOffsetAndMetadata().get();
    return admin.listOffsets(asked).all().get().entrySet().stream()
        .mapToLong(each -> {
          OffsetAndMetadata here = done.get(each.getKey());
          return each.getValue().offset() - (here == null ? 0 : here.offset());
        })
        .sum();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "heap %d MB, state folder %d MB, changelogs %d MB, lag %d",
        heap / MEGABYTE,
        stateFolders / MEGABYTE,
        changelogs / MEGABYTE,
        lag);
  }
}
