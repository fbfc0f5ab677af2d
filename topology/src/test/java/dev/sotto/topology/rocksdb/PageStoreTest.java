package dev.sotto.topology.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store of pages is the store of Streams, but leaves it to its reader to verify a page. */
class PageStoreTest {
  private static final int PAGE = 100_000;
  private static final int MEMTABLE = 1 << 20;
  private static final int FILLERS = 8 * MEMTABLE / PAGE;
  private static final TopicPartition LOG = new TopicPartition("log", 0);

  @TempDir
  private Path folder;

  @TempDir
  private Path copies;

  private MockProcessorContext<Void, Void> context; // of the newest folder
  private boolean transactional;

  @Test
  void keepsWhatItIsGiven() {
    KeyValueStore<Bytes, byte[]> store =
        opened(PersistentStores.pages(Names.LEARNER).get(), true);
    Random random = Seed.random(1);
    byte[][] pages = new byte[40][PAGE];
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < pages.length; i++) {
        random.nextBytes(pages[i]);
        store.put(key(i), pages[i]);
        assertThat(store.get(key(i))).isEqualTo(pages[i]);
      }
      flush(store, round);
      for (int i = 0; i < pages.length; i++) {
        assertThat(store.get(key(i))).isEqualTo(pages[i]);
      }
    }
    assertThat(store.get(key(99))).isNull();
    store.put(key(0), null);
    assertThat(store.delete(key(1))).isEqualTo(pages[1]);
    assertThat(store.get(key(0))).isNull();
    assertThat(store.get(key(1))).isNull();
    assertThat(store.putIfAbsent(key(2), new byte[1])).isEqualTo(pages[2]);
    store.putAll(List.of(KeyValue.pair(key(3), new byte[] {3}), KeyValue.pair(key(4), null)));
    assertThat(store.get(key(3))).containsExactly(3);
    assertThat(store.get(key(4))).isNull();
    assertThat(keys(store.all())).isEqualTo(pages.length - 3 + FILLERS);
    assertThat(keys(store.reverseAll())).isEqualTo(pages.length - 3 + FILLERS);
    assertThat(keys(store.range(key(10), key(19)))).isEqualTo(10);
    assertThat(keys(store.reverseRange(key(10), key(19)))).isEqualTo(10);
    assertThat(keys(store.prefixScan("page 2", new StringSerializer()))).isEqualTo(10);
    assertThat(store.approximateNumEntries()).isPositive();
    assertThat(store.persistent()).isTrue();
    assertThat(store.committedOffset(LOG)).isEqualTo(2);

    store.close();
    assertThat(store.isOpen()).isFalse();
    assertThatThrownBy(() -> store.get(key(2))).isInstanceOf(InvalidStateStoreException.class);

    // The same object again, as Streams does it, and then the store of Streams itself.
    opened(store, true);
    assertThat(store.get(key(39))).isEqualTo(pages[39]);
    flush(store, 3);
    assertThat(store.get(key(39))).isEqualTo(pages[39]);
    store.close();
    store.close();
    KeyValueStore<Bytes, byte[]> plain =
        opened(Stores.persistentKeyValueStore(Names.LEARNER).get(), false);
    assertThat(plain.get(key(39))).isEqualTo(pages[39]);
    assertThat(plain.committedOffset(LOG)).isEqualTo(3);
    plain.close();
  }

  /**
   * What is not committed lies beside the database, and is read all the same; what a crash leaves
   * is what was committed, with the place up to which it is.
   */
  @Test
  void readsWhatIsNotCommittedYet() throws IOException {
    transactional = true;
    KeyValueStore<Bytes, byte[]> store =
        opened(PersistentStores.pages(Names.LEARNER).get(), true);
    byte[] first = new byte[PAGE];
    byte[] second = new byte[PAGE];
    Arrays.fill(second, (byte) 2);
    store.put(key(1), first);
    store.put(key(2), first);
    store.put(key(3), first);
    flush(store, 1);
    store.commit(Map.of(LOG, 2L));
    store.put(key(1), second);
    store.put(key(2), null);
    store.putAll(List.of(KeyValue.pair(key(3), second)));
    assertThat(store.get(key(1))).isEqualTo(second);
    assertThat(store.get(key(2))).isNull();
    assertThat(store.get(key(3))).isEqualTo(second);
    assertThat(store.approximateNumUncommittedBytes()).isGreaterThan(2 * PAGE);
    assertThat(store.delete(key(1))).isEqualTo(second);
    assertThat(store.putIfAbsent(key(2), second)).isNull();
    assertThat(store.get(key(1))).isNull();
    assertThat(store.get(key(2))).isEqualTo(second);
    Path note = folder.resolve("rocksdb").resolve(Names.LEARNER + ".flushed");
    assertThat(note).exists();
    Files.delete(note);
    store.commit(Map.of(LOG, 3L));
    assertThat(store.approximateNumUncommittedBytes()).isLessThan(PAGE);
    assertThat(store.get(key(1))).isNull();
    assertThat(store.get(key(2))).isEqualTo(second);
    store.put(key(3), first);
    store.close(); // without a commit
    assertThat(note).exists();
    opened(store, true);
    assertThat(store.get(key(3))).isEqualTo(second);
    assertThat(store.committedOffset(LOG)).isEqualTo(3);
    store.close();
  }

  /** They come back from the changelog: without an offset it is read from its beginning. */
  @ParameterizedTest
  @CsvSource({"damaged, units, 0", "flushed, heads, 0", "flushed, units, 1"})
  void opensNoFilesThatAreDamagedOrOutdated(String note, String name, int left) throws IOException {
    transactional = true;
    KeyValueStore<Bytes, byte[]> store = opened(PersistentStores.values(name).get(), true);
    store.put(key(1), new byte[PAGE]);
    store.commit(Map.of(LOG, 1L));
    store.close();
    opened(store, true);
    assertThat(store.get(key(1))).hasSize(PAGE);
    store.close();
    Path notes = folder.resolve("rocksdb");
    Files.writeString(notes.resolve(name + "." + note), "1000");
    opened(store, true);
    assertThat(keys(store.all())).isEqualTo(left);
    assertThat(store.committedOffset(LOG)).isEqualTo(left == 0 ? null : 1L);
    store.close();
  }

  /** Streams opens, flushes and closes every store as it starts, before any changelog is read. */
  @Test
  void aStartMakesNoFilesYounger() throws IOException {
    transactional = true;
    KeyValueStore<Bytes, byte[]> store = opened(PersistentStores.values("heads").get(), true);
    store.put(key(1), new byte[PAGE]);
    store.commit(Map.of(LOG, 1L));
    store.close();
    Path note = folder.resolve("rocksdb").resolve("heads.flushed");
    long hoursAgo =
        Long.parseLong(Files.readString(note)) - Duration.ofHours(22).toMillis();
    Files.writeString(note, Long.toString(hoursAgo));
    opened(store, true);
    store.commit(Map.of(LOG, 1L));
    store.close();
    assertThat(Files.readString(note)).isEqualTo(Long.toString(hoursAgo));
    opened(store, true);
    store.put(key(2), new byte[PAGE]); // by a task that has read it all
    store.commit(Map.of(LOG, 2L));
    store.close();
    assertThat(Long.parseLong(Files.readString(note))).isGreaterThan(hoursAgo);
  }

  @Test
  void filesThatCannotBeOpenedComeBackFromTheChangelog() throws IOException {
    transactional = true;
    KeyValueStore<Bytes, byte[]> store = opened(PersistentStores.values("heads").get(), true);
    store.put(key(1), new byte[PAGE]);
    store.commit(Map.of(LOG, 1L));
    store.close();
    Path current = folder.resolve("rocksdb").resolve("heads").resolve("CURRENT");
    Files.writeString(current, "nothing\n");
    opened(store, true);
    assertThat(keys(store.all())).isZero();
    assertThat(store.committedOffset(LOG)).isNull();
    store.put(key(1), new byte[PAGE]);
    assertThat(store.get(key(1))).hasSize(PAGE);
    store.close();
  }

  /** Whoever reads a page finds it damaged; with the store of Streams, RocksDB does. */
  @Test
  void givesPagesAsTheyLieInTheirFile() throws IOException {
    assertThat(damaged(PersistentStores.pages(Names.LEARNER).get(), "ours"))
        .hasSize(PAGE)
        .contains(6);
    assertThatThrownBy(
            () -> damaged(Stores.persistentKeyValueStore(Names.LEARNER).get(), "theirs"))
        .isInstanceOf(ProcessorStateException.class)
        .hasStackTraceContaining("Blob CRC mismatch");
  }

  /** Reads a page of sevens of which one byte was changed in its file. */
  private byte[] damaged(KeyValueStore<Bytes, byte[]> store, String name) throws IOException {
    folder = Files.createDirectories(folder.resolve(name));
    try {
      opened(store, true);
      byte[] page = new byte[PAGE];
      Arrays.fill(page, (byte) 7);
      store.put(key(1), page);
      flush(store, 1);
      Path database = folder.resolve("rocksdb").resolve(Names.LEARNER);
      List<Path> files;
      try (Stream<Path> all = Files.list(database)) { // other files may go meanwhile
        files = all.filter(each -> each.toString().endsWith(".blob")).toList();
      }
      int changed = 0;
      for (Path file : files) {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length > PAGE && bytes[PAGE / 2] == 7) {
          bytes[PAGE / 2] = 6;
          Files.write(file, bytes);
          changed++;
        }
      }
      assertThat(changed).isEqualTo(1);
      return store.get(key(1));
    } finally {
      store.close();
    }
  }

  /** Under a configuration of the user's own, too. */
  @Test
  void needsNoConfigurationOfOurs() {
    KeyValueStore<Bytes, byte[]> store = opened(PersistentStores.pages("other").get(), false);
    store.put(key(1), new byte[PAGE]);
    store.commit(Map.of(LOG, 1L));
    assertThat(store.get(key(1))).hasSize(PAGE);
    store.close();
  }

  private KeyValueStore<Bytes, byte[]> opened(KeyValueStore<Bytes, byte[]> store, boolean bounded) {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, transactional);
    if (bounded) {
      config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDbConfig.class);
      config.put(BoundedRocksDbConfig.BYTES, Long.toString(8L * MEMTABLE));
    }
    if (context == null || !folder.toFile().equals(context.stateDir())) {
      context = new MockProcessorContext<>(config, new TaskId(0, 0), folder.toFile());
    }
    store.init(context.getStateStoreContext(), store);
    return store;
  }

  /** Fills memtables until they are written, and waits until the store knows its database. */
  private void flush(KeyValueStore<Bytes, byte[]> store, long offset) {
    store.commit(Map.of(LOG, offset));
    for (int i = 0; i < FILLERS; i++) {
      store.put(filler(i), new byte[PAGE]);
      if (transactional) {
        store.commit(Map.of(LOG, offset));
      }
    }
    if (store instanceof PageStore pages) {
      Awaitility.await().forever().until(pages::knowsItsDatabase);
    }
  }

  /** Behind all pages, and each another: nothing becomes stale, so no file goes or is moved. */
  private static Bytes filler(int i) {
    return Bytes.wrap(new byte[] {127, (byte) i});
  }

  private static int keys(KeyValueIterator<Bytes, byte[]> found) {
    int count = 0;
    try (found) {
      while (found.hasNext()) {
        found.next();
        count++;
      }
    }
    return count;
  }

  private static Bytes key(int page) {
    return Bytes.wrap(
        "page %02d".formatted(page).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  /** What a crash leaves is committed, so it can be gone on from without transactions as well. */
  @Test
  void goesOnWithoutTransactionsFromWhatACrashLeft() throws IOException {
    transactional = true;
    KeyValueStore<Bytes, byte[]> store =
        opened(PersistentStores.pages(Names.LEARNER).get(), true);
    store.put(key(1), new byte[PAGE]);
    flush(store, 1);
    store.put(key(1), new byte[1]);
    store.put(key(2), new byte[1]);
    Path crashed = copied("crashed");
    store.close();
    folder = crashed;
    transactional = false;
    KeyValueStore<Bytes, byte[]> next =
        opened(PersistentStores.pages(Names.LEARNER).get(), true);
    assertThat(next.get(key(1))).hasSize(PAGE);
    assertThat(next.get(key(2))).isNull();
    assertThat(next.committedOffset(LOG)).isEqualTo(1);
    next.close();
  }

  /**
   * The other way round they may hold what was never committed: under the name of histories, which
   * are never outdated, too. So does a folder of an earlier version.
   */
  @ParameterizedTest
  @CsvSource({"learner, true", "units, true", "units, false"})
  void readsAnewWithTransactionsWhatWasWrittenWithout(String name, boolean isClosed)
      throws IOException {
    KeyValueStore<Bytes, byte[]> store = opened(PersistentStores.pages(name).get(), true);
    store.put(key(1), new byte[PAGE]);
    store.commit(Map.of(LOG, 1L));
    store.put(key(2), new byte[PAGE]); // not committed
    for (int i = 0; i < FILLERS; i++) {
      store.put(filler(i), new byte[PAGE]);
    }
    Path left = isClosed ? null : copied("crashed");
    store.close();
    folder = isClosed ? folder : left;
    context = null; // of a process that is configured otherwise
    transactional = true;
    KeyValueStore<Bytes, byte[]> next = opened(PersistentStores.pages(name).get(), true);
    assertThat(keys(next.all())).isZero();
    assertThat(next.committedOffset(LOG)).isNull();
    next.close();
  }

  /** The folder as a crash would leave it now. */
  private Path copied(String name) throws IOException {
    for (int attempt = 0; ; attempt++) {
      Path to = copies.resolve(name + attempt);
      List<Path> before = files();
      try {
        for (Path each : before) {
          Files.copy(each, to.resolve(folder.relativize(each).toString()));
        }
        if (files().equals(before)) {
          return to;
        }
      } catch (NoSuchFileException compacted) {
        // Once more: others took its place.
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.sorted().toList();
    } catch (UncheckedIOException compacted) {
      return List.of();
    }
  }
}
