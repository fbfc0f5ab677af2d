package dev.sotto.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.serdes.record.StoredArray;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.store.StoredPages.Mark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Arrays in pages: which are written, and what is noticed of wrong ones. */
class StoredPagesTest {
  private final CountingTable table = new CountingTable();
  private final StoredPages pages = new StoredPages(table);

  private static PagedBytes array(double... values) {
    return new PagedDoubles(values, 2, false);
  }

  private StoredArray write(PagedBytes array, StoredArray stored) {
    return pages.write("m", "a", array, stored, Mark.CHECKSUM);
  }

  private PagedBytes read(StoredArray stored) {
    return pages.read("m", stored, Mark.CHECKSUM);
  }

  @Test
  void writeOnlyWhatChanged() {
    StoredArray first = write(array(1, 2, 3, 4, 5), null);
    assertThat(table.puts).containsExactly("a/0/m", "a/1/m", "a/2/m");
    assertThat(first.pages()).isEqualTo(3);
    assertThat(first.length()).isEqualTo(40);
    table.puts.clear();
    StoredArray second = write(array(1, 2, 3, -4, 5), first);
    assertThat(table.puts).containsExactly("a/1/m");
    assertThat(PagedDoubles.read(read(second), false)).containsExactly(1, 2, 3, -4, 5);
    table.puts.clear();
    StoredArray third = write(array(1, 2, 3), second);
    assertThat(table.puts).containsExactly("a/1/m");
    assertThat(table.deletes).containsExactly("a/2/m");
    assertThat(PagedDoubles.read(read(third), false)).containsExactly(1, 2, 3);
    write(array(), third);
    assertThat(table.values).isEmpty();
  }

  @Test
  void takeFewBytesForMultiplesOfOnePower() {
    double[] means = new double[10_000];
    for (int i = 0; i < means.length; i++) {
      means[i] = (i * 7919L % 200_000 - 100_000) / 4096.0;
    }
    PagedDoubles compact = PagedDoubles.of(means, 16_384);
    StoredArray stored = write(compact, null);
    assertThat(stored.pages()).isEqualTo(5);
    assertThat(stored.length()).isEqualTo(compact.length()).isLessThan(3 * means.length + 100);
    assertThat(PagedDoubles.read(read(stored), true)).containsExactly(means);
    assertThat(PagedDoubles.of(new double[0], 16).compact()).isFalse();
    assertThat(PagedDoubles.read(read(write(array(), stored)), false)).isEmpty();
  }

  @Test
  void noticePagesThatAreNotThoseOfTheIndex() {
    StoredArray first = write(array(1, 2, 3, 4, 5), null);
    Map<String, byte[]> old = new HashMap<>(table.values);
    StoredArray second = write(array(1, 2, 3, -4, 5), first);
    requireNoticed(first, 1);
    read(first).page(0);
    byte[] right = table.values.put("a/1/m", old.get("a/1/m"));
    requireNoticed(second, 1);
    table.values.put("a/1/m", table.values.get("a/0/m"));
    requireNoticed(second, 1);
    table.values.remove("a/1/m");
    requireNoticed(second, 1);
    table.values.put("a/1/m", right);
    assertThat(read(second).page(1)).isEqualTo(right);
  }

  private void requireNoticed(StoredArray stored, int page) {
    assertThatThrownBy(() -> read(stored).page(page))
        .isInstanceOf(TransientException.class)
        .hasMessageContaining("do not agree on page a/" + page + "/m");
  }

  /** A table that remembers what was written to it. */
  private static final class CountingTable implements StateTable {
    final List<String> puts = new ArrayList<>();
    final List<String> deletes = new ArrayList<>();
    final Map<String, byte[]> values = new HashMap<>();

    @Override
    public byte[] get(String key) {
      return values.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      puts.add(key);
      values.put(key, value);
    }

    @Override
    public void delete(String key) {
      deletes.add(key);
      values.remove(key);
    }
  }
}
