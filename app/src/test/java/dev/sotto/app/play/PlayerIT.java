package dev.sotto.app.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sotto.app.command.ExitCode;
import dev.sotto.app.crash.LearnerProcess;
import dev.sotto.replay.play.PlayProgress;
import dev.sotto.replay.play.PlayResult;
import dev.sotto.replay.play.PlaySettings;
import dev.sotto.replay.play.PlaybackRate;
import dev.sotto.replay.play.Player;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testbroker.Topics;
import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings played into a real broker. */
class PlayerIT {
  private static Cluster broker;
  private static Admin admin;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    broker = Cluster.shared();
    admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  @AfterAll
  static void stop() {
    admin.close();
    broker.close();
  }

  private static final PlaySettings.Start CREATE = new PlaySettings.Start(true, false, false);
  private static final MadeRecording SMALL = PlayerProcess.recording(3, 500);

  private static PlaySettings settings(
      String topic, PlaySettings.Start start, boolean arrivalTimes) {
    return new PlaySettings(
        topic,
        Map.of("bootstrap.servers", broker.bootstrapServers()),
        new PlaybackRate.Fastest(),
        start,
        arrivalTimes,
        PlaySettings.Bounds.USUAL);
  }

  private static PlayResult play(MadeRecording recording, PlaySettings settings) {
    try (Player player = new Player(recording, settings, PlayProgress.NONE)) {
      return player.play();
    }
  }

  private static void create(String topic, int partitions, Map<String, String> config)
      throws Exception {
    Topics.create(admin, new NewTopic(topic, partitions, (short) 1).configs(config));
  }

  private static final Map<String, String> FOR_OLD = Map.of("retention.ms", "-1");

  /** What a topic holds, committed, in one line a record, by partition. */
  private static Map<Integer, List<String>> held(String topic) {
    Map<Integer, List<String>> held = new TreeMap<>();
    try (CommittedTopic committed =
        new CommittedTopic(Map.of("bootstrap.servers", broker.bootstrapServers()), topic)) {
      committed.readToEnd((ConsumerRecord<byte[], byte[]> each) -> held.computeIfAbsent(
              each.partition(), id -> new ArrayList<>())
          .add(line(each.timestamp(), each.key(), each.value(), each.headers())));
    }
    return held;
  }

  /** Readers see a transaction a moment after its commit. */
  private static void assertHeld(String topic, Map<Integer, List<String>> expected) {
    await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(() -> assertThat(held(topic)).isEqualTo(expected));
  }

  private static Map<Integer, List<String>> recorded(MadeRecording recording) {
    Map<Integer, List<String>> recorded = new TreeMap<>();
    for (int partition = 0; partition < recording.partitions(); partition++) {
      List<String> lines = recorded.computeIfAbsent(partition, id -> new ArrayList<>());
      RecordCursor cursor = recording.open(partition);
      while (cursor.next()) {
        lines.add(line(cursor.timestamp(), cursor.key(), cursor.value(), cursor.headers()));
      }
    }
    return recorded;
  }

  private static String line(long timestamp, byte[] key, byte[] value, Headers headers) {
    List<String> all = new ArrayList<>();
    headers.forEach(each -> all.add(each.key() + "=" + Arrays.toString(each.value())));
    return timestamp + " " + Arrays.toString(key) + " " + Arrays.toString(value) + " " + all;
  }

  /** As a text file is played: one partition, whose records go where their keys say. */
  @Test
  void spreadsOnePartitionOverThoseOfTheTopic() throws Exception {
    create("spread", 3, FOR_OLD);
    MadeRecording one = PlayerProcess.recording(1, 500);
    PlaySettings settings = settings("spread", PlaySettings.Start.PLAIN, false);
    for (int times = 0; times < 2; times++) { // the second time there is nothing left
      try (Player player = new Player(one, settings, PlayProgress.NONE)) {
        PlayResult result = player.spreading().play();
        assertThat(result.played()).isEqualTo(times == 0 ? 500 : 0);
        assertThat(player.spread())
            .contains("spread over 3 partitions by key, or in turns where they have none");
      }
    }
    await().atMost(Duration.ofSeconds(120)).untilAsserted(() -> {
      Map<Integer, List<String>> held = held("spread");
      assertThat(held).hasSize(3);
      assertThat(held.values().stream().flatMap(List::stream))
          .containsExactlyInAnyOrderElementsOf(recorded(one).get(0));
    });
  }

  @Test
  void playsEverythingAsItWasAndNothingTwice() throws Exception {
    PlayResult first = play(SMALL, settings("whole", CREATE, false));
    assertThat(first.records()).isEqualTo(1500);
    assertThat(first.played()).isEqualTo(1500);
    assertThat(first.complete()).isTrue();
    assertHeld("whole", recorded(SMALL));

    PlayResult again = play(SMALL, settings("whole", CREATE, false));
    assertThat(again.before()).isEqualTo(1500);
    assertThat(again.played()).isZero();
    assertThat(again.complete()).isTrue();
    assertHeld("whole", recorded(SMALL));

    var restart = new PlaySettings.Start(false, false, true);
    assertThat(play(SMALL, settings("whole", restart, false)).played()).isEqualTo(1500);
    Map<Integer, List<String>> twice = recorded(SMALL);
    twice.replaceAll((partition, lines) -> {
      List<String> both = new ArrayList<>(lines);
      both.addAll(lines);
      return both;
    });
    assertHeld("whole", twice);
  }

  @Test
  void createsATopicThatKeepsOldRecords() throws Exception {
    play(SMALL, settings("created", CREATE, false));
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, "created");
    var config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
    assertThat(config.get("message.timestamp.type").value()).isEqualTo("CreateTime");
    assertThat(config.get("retention.ms").value()).isEqualTo("-1");
    assertThat(config.get("segment.ms").value()).isEqualTo(Long.toString(Long.MAX_VALUE));
  }

  @Test
  void startsInAnEmptyTopicOrWhenTold() throws Exception {
    MadeRecording other = new MadeRecording("cd".repeat(32), 3, 10, 1_000_000_000_000L, 7);
    play(SMALL, settings("shared", CREATE, false));
    assertThatThrownBy(() -> play(other, settings("shared", CREATE, false)))
        .isInstanceOfSatisfying(
            SottoException.class, each -> assertThat(each.kind()).isEqualTo(FailureKind.TOPIC))
        .hasMessageContaining("--append");
    var append = new PlaySettings.Start(false, true, false);
    assertThat(play(other, settings("shared", append, false)).played()).isEqualTo(30);
    assertThat(play(other, settings("shared", append, false)).played()).isZero();
    assertThat(play(SMALL, settings("shared", CREATE, false)).played()).isZero();
  }

  /** What was played into a topic of the same name that is gone does not count. */
  @Test
  void knowsATopicThatWasMadeAgain() throws Exception {
    play(SMALL, settings("anew", CREATE, false));
    admin.deleteTopics(List.of("anew")).all().get();
    await().until(() -> !admin.listTopics().names().get().contains("anew"));
    PlayResult again = play(SMALL, settings("anew", CREATE, false));
    assertThat(again.before()).isZero();
    assertHeld("anew", recorded(SMALL));
  }

  @Test
  void saysWhatIsWrongWithATopic() throws Exception {
    assertThatThrownBy(() -> play(SMALL, settings("missing", PlaySettings.Start.PLAIN, false)))
        .isInstanceOfSatisfying(
            SottoException.class, each -> assertThat(each.kind()).isEqualTo(FailureKind.TOPIC))
        .hasMessageContaining("does not exist")
        .hasMessageContaining("--create");
    create("narrow", 2, Map.of("message.timestamp.type", "LogAppendTime"));
    assertThatThrownBy(() -> play(SMALL, settings("narrow", CREATE, false)))
        .hasMessageContaining("has 2 partitions")
        .hasMessageContaining("LogAppendTime");
    create("forgetful", 3, Map.of());
    assertThatThrownBy(() -> play(SMALL, settings("forgetful", CREATE, false)))
        .hasMessageContaining("retention.ms");
    assertThat(play(SMALL, settings("forgetful", CREATE, true)).played()).isEqualTo(1500);
    create("keyed", 3, Map.of("cleanup.policy", "compact"));
    assertThatThrownBy(() -> play(SMALL, settings("keyed", CREATE, false)))
        .isInstanceOfSatisfying(
            SottoException.class, each -> assertThat(each.kind()).isEqualTo(FailureKind.TOPIC))
        .hasMessageContaining("does not take the record at partition");
    assertThat(held("keyed")).isEmpty();
  }

  /** The later player of two puts an end to the earlier, and no record is there twice. */
  @Test
  void letsTheLaterOfTwoPlayersGoOn() throws Exception {
    create("contested", 3, FOR_OLD);
    MadeRecording recording = PlayerProcess.recording(3, 2_000);
    AtomicReference<Throwable> end = new AtomicReference<>();
    AtomicLong reached = new AtomicLong();
    CountDownLatch taken = new CountDownLatch(1);
    PlayProgress progress = new PlayProgress() {
      @Override
      public void checked(long done, long most) {}

      @Override
      public void played(long done, long most, long waitMillis) {
        reached.set(done);
        try {
          if (done > 0) { // or it might come to its end before it is taken over
            taken.await();
          }
        } catch (InterruptedException stop) {
          throw new IllegalStateException(stop);
        }
      }
    };
    PlaySettings slow = PlayerProcess.settings(
        broker.bootstrapServers(), "contested", new PlaybackRate.Rate(1_000));
    Thread earlier = new Thread(() -> {
      try (Player player = new Player(recording, slow, progress)) {
        player.play();
      } catch (RuntimeException ended) {
        end.set(ended);
      }
    });
    earlier.start();
    await().until(() -> reached.get() > 0);
    PlayResult later;
    try {
      later = play(recording, settings("contested", PlaySettings.Start.PLAIN, false));
    } finally {
      taken.countDown();
      earlier.join();
    }
    assertThat(later.before()).isPositive();
    assertThat(later.complete()).isTrue();
    assertThat(end.get())
        .isInstanceOfSatisfying(
            SottoException.class, each -> assertThat(each.kind()).isEqualTo(FailureKind.IN_USE))
        .hasMessageContaining("taken over");
    assertHeld("contested", recorded(recording));
  }

  @Test
  void goesOnWhereItWasStopped() throws Exception {
    create("stopped", 3, FOR_OLD);
    MadeRecording recording = PlayerProcess.recording(3, 1_000);
    PlaySettings slow = PlayerProcess.settings(
        broker.bootstrapServers(), "stopped", new PlaybackRate.Speed(7)); // 1 ms between records
    AtomicReference<Player> playing = new AtomicReference<>();
    PlayProgress progress = new PlayProgress() {
      @Override
      public void checked(long done, long most) {}

      @Override
      public void played(long done, long most, long waitMillis) {
        if (done > 300) {
          playing.get().stop();
        }
      }
    };
    Player player = new Player(recording, slow, progress);
    playing.set(player);
    PlayResult result;
    try (player) {
      result = player.play();
    }
    assertThat(result.complete()).isFalse();
    assertThat(result.played()).isBetween(301L, 2_999L);
    await()
        .atMost(Duration.ofSeconds(120))
        .until(
            () -> held("stopped").values().stream().mapToInt(List::size).sum(),
            count -> count == result.played());
    PlayResult rest = play(recording, settings("stopped", PlaySettings.Start.PLAIN, false));
    assertThat(rest.before()).isEqualTo(result.played());
    assertHeld("stopped", recorded(recording));
  }

  /**
   * Killed with SIGKILL again and again, at any moment and in the middle of a transaction; once it
   * sleeps until another has finished.
   */
  @Tag("long")
  @Test
  void playsOnceWhateverHappens() throws Exception {
    create("killed", 3, FOR_OLD);
    int records = 20_000; // a minute of playing: none comes to the end before it is killed
    Random random = Seed.random(1);
    String[] command = {
      "-Xmx256m",
      PlayerProcess.class.getName(),
      broker.bootstrapServers(),
      "killed",
      "3",
      Integer.toString(records)
    };
    String[] hanging = Arrays.copyOf(command, command.length + 1);
    hanging[command.length] = PlayerProcess.HANG;
    for (int i = 0; i < 4; i++) {
      boolean hangs = i % 2 == 1;
      long before = committed();
      LearnerProcess player = LearnerProcess.launch(folder, "player", hangs ? hanging : command);
      long more = hangs ? 1 : 1 + random.nextInt(500); // records, wherever it is then
      await().until(() -> {
        assertThat(player.isAlive()).isTrue();
        return committed() >= before + more && (!hangs || hasOpenTransaction());
      });
      player.kill();
      if (hangs) {
        assertThat(hasOpenTransaction()).as("killed with a transaction open").isTrue();
      }
    }
    LearnerProcess sleeper = LearnerProcess.launch(folder, "sleeper", command);
    long before = committed();
    await().until(() -> {
      assertThat(sleeper.isAlive()).isTrue();
      return committed() > before;
    });
    sleeper.stand();
    MadeRecording recording = PlayerProcess.recording(3, records);
    PlayResult rest = play(recording, settings("killed", PlaySettings.Start.PLAIN, false));
    assertThat(rest.before()).isBetween(1L, 3L * records - 1);
    assertThat(rest.complete()).isTrue();
    sleeper.goOn();
    await().until(() -> !sleeper.isAlive());
    assertThat(sleeper.exitCode()).isEqualTo(ExitCode.IN_USE.code());
    assertHeld("killed", recorded(recording));
  }

  private static long committed() throws Exception {
    Optional<String> group = admin.listGroups().all().get().stream()
        .map(GroupListing::groupId)
        .filter(each -> each.startsWith("sotto-play.killed."))
        .findFirst();
    if (group.isEmpty()) {
      return 0;
    }
    assertThat(group.get()).doesNotContain("abab"); // of the digest, which confirms guesses
    return admin
        .listConsumerGroupOffsets(group.get())
        .partitionsToOffsetAndMetadata()
        .get()
        .values()
        .stream()
        .filter(each -> each != null)
        .mapToLong(each -> each.offset())
        .sum();
  }

  private static boolean hasOpenTransaction() throws Exception {
    return admin.listTransactions().all().get().stream()
        .anyMatch(each -> each.transactionalId().startsWith("sotto-play.killed")
            && each.state().toString().equals("Ongoing"));
  }
}
