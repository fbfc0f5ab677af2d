package dev.sotto.topology.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.store.HeapTable;
import dev.sotto.topology.store.StateTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptionTest {
  private static final StoragePlace HEADS = StoragePlace.store("app", "heads", 3);
  private static final StoragePlace SEQUENCE = StoragePlace.topic("app.sequence", 0);
  private static final byte[] SECRET = "never to be seen".getBytes(StandardCharsets.UTF_8);

  @TempDir
  Path folder;

  private final Map<String, byte[]> store = new HashMap<>();
  private Keyset keyset;

  @BeforeEach
  void makeKeyset() throws IOException {
    keyset = Keyset.create(folder.resolve("keys"));
  }

  private StateTable table(Encryption encryption, StoragePlace place) {
    return encryption.table(new HeapTable(store), place);
  }

  private boolean storeShows(byte[] bytes) {
    HexFormat hex = HexFormat.of();
    return store.values().stream()
        .anyMatch(value -> hex.formatHex(value).contains(hex.formatHex(bytes)));
  }

  @Test
  void readsWhatItWroteAndShowsNothingOfItToTheStore() {
    StateTable table = table(keyset, HEADS);
    table.put("one", SECRET);
    table.put("empty", new byte[0]);
    table.put("gone", SECRET);
    table.delete("gone");
    for (StateTable each : List.of(table, table(keyset, HEADS))) {
      assertThat(each.get("one")).isEqualTo(SECRET);
      assertThat(each.get("empty")).isEmpty();
      assertThat(each.get("gone")).isNull();
      assertThat(each.get("never")).isNull();
    }
    assertThat(storeShows(SECRET)).isFalse();
  }

  @Test
  void showsEverythingWithoutEncryption() {
    table(Encryption.none(), HEADS).put("one", SECRET);
    assertThat(storeShows(SECRET)).isTrue();
    assertThat(store).containsOnlyKeys("one");
  }

  @Test
  void encryptsEqualValuesDifferently() {
    StateTable table = table(keyset, HEADS);
    table.put("one", SECRET);
    byte[] first = store.get("one");
    table.put("one", SECRET);
    assertThat(store.get("one")).isNotEqualTo(first).hasSameSizeAs(first);
  }

  @Test
  void writesNothingBeforeTheFirstValue() {
    assertThat(table(keyset, HEADS).get("one")).isNull();
    assertThat(store).isEmpty();
  }

  @Test
  void refusesAValueFromUnderAnotherKey() {
    StateTable table = table(keyset, HEADS);
    table.put("one", SECRET);
    table.put("two", SECRET);
    store.put("one", store.get("two"));
    assertThatThrownBy(() -> table.get("one"))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "store heads of app.id app (partition 3)", "comes from another place");
    assertThat(table.get("two")).isEqualTo(SECRET);
  }

  @Test
  void refusesAStoreFromAnotherPlace() {
    table(keyset, HEADS).put("one", SECRET);
    for (StoragePlace other : List.of(
        StoragePlace.store("app", "heads", 4),
        StoragePlace.store("app", "learner", 3),
        StoragePlace.store("app2", "heads", 3),
        StoragePlace.store("ap", "pheads", 3),
        new StoragePlace(StoragePlace.Kind.TOPIC, "app", "heads", 3))) {
      assertThatThrownBy(() -> table(keyset, other))
          .as("%s", other)
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContaining("comes from another place");
    }
    assertThat(table(keyset, HEADS).get("one")).isEqualTo(SECRET);
  }

  @Test
  void refusesEveryChangedByte() {
    StateTable table = table(keyset, HEADS);
    table.put("one", SECRET);
    byte[] good = store.get("one");
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 4;
      store.put("one", bad);
      assertThatThrownBy(() -> table.get("one"))
          .as("byte %d", i)
          .isInstanceOf(UnsafeToContinueException.class);
    }
  }

  @Test
  void refusesAStoreThatWasWrittenInClear() {
    table(Encryption.none(), HEADS).put("one", SECRET);
    StateTable table = table(keyset, HEADS);
    assertThatThrownBy(() -> table.get("one"))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "heads", "was written without encryption", "Remove encryption.key.file", "new app.id");
  }

  @Test
  void refusesAnEncryptedStoreWithoutAKey() {
    table(keyset, HEADS).put("one", SECRET);
    assertThatThrownBy(() -> table(Encryption.none(), HEADS))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll("heads", "is encrypted", "Set encryption.key.file");
  }

  @Test
  void refusesAnotherKeyset() throws IOException {
    table(keyset, HEADS).put("one", SECRET);
    Keyset other = Keyset.create(folder.resolve("other"));
    assertThatThrownBy(() -> table(other, HEADS))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "under key " + keyset.primaryId(), "has only " + other.primaryId(), "Put back");
  }

  @Test
  void readsOldValuesAndWritesNewOnesAfterARotation() throws IOException {
    StateTable before = table(keyset, HEADS);
    before.put("old", SECRET);
    byte[] sequenced = keyset.topic(SEQUENCE).seal(SECRET);

    Keyset rotated = Keyset.rotate(folder.resolve("keys"));
    assertThat(rotated.primaryId()).isNotEqualTo(keyset.primaryId());
    StateTable after = table(rotated, HEADS);
    assertThat(after.get("old")).isEqualTo(SECRET);
    assertThat(rotated.topic(SEQUENCE).open(sequenced)).isEqualTo(SECRET);

    after.put("new", SECRET);
    assertThatThrownBy(() -> before.get("new"))
        .hasMessageContaining("under key " + rotated.primaryId());
    assertThat(table(Keyset.read(folder.resolve("keys")), HEADS).get("new")).isEqualTo(SECRET);
  }

  @Test
  void keepsTheValuesOfATopic() throws IOException {
    TopicCipher cipher = keyset.topic(SEQUENCE);
    byte[] written = cipher.seal(SECRET);
    assertThat(cipher.open(written)).isEqualTo(SECRET);
    TopicCipher elsewhere = keyset.topic(StoragePlace.topic("other.sequence", 0));
    assertThatThrownBy(() -> elsewhere.open(written))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("topic other.sequence (partition 0)");
    TopicCipher stranger = Keyset.create(folder.resolve("other")).topic(SEQUENCE);
    assertThatThrownBy(() -> stranger.open(written))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("Put back");
    TopicCipher inClear = Encryption.none().topic(SEQUENCE);
    assertThat(inClear.open(inClear.seal(SECRET))).isSameAs(SECRET);
    assertThat(inClear.open(null)).isNull();
    assertThatThrownBy(() -> inClear.open(written))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("is encrypted");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 40, 4000})
  void refusesRecordsOfATopicThatAreInClear(int length) {
    byte[] written = length < 0 ? null : new byte[length];
    assertThatThrownBy(() -> keyset.topic(SEQUENCE).open(written))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("was written without encryption");
  }
}
