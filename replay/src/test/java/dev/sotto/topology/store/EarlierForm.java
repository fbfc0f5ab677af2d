package dev.sotto.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.StateIndex;
import dev.sotto.serdes.record.StoredArray;
import dev.sotto.topology.store.StoredPages.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The state of a model as it was once stored: iterates in 8 bytes each, pages that are hashed. */
public final class EarlierForm {
  private static final String STATE = "state/model";

  private EarlierForm() {}

  /** Brings what is stored of {@code model} into that form. */
  public static void write(Map<String, byte[]> heads, Map<String, byte[]> arrays) {
    StateIndex index = Codecs.STATE_INDEX.decode(heads.get(STATE));
    assertThat(index.compact()).isTrue();
    assertThat(index.checksums()).isTrue();
    StoredPages pages = new StoredPages(new Table(arrays));
    List<StoredArray> all = new ArrayList<>();
    for (StoredArray each : index.arrays()) {
      if (List.of("noise", "redrawn", "refused").contains(each.name())) {
        all.add(each);
        continue;
      }
      PagedBytes now = pages.read("model", each, Mark.CHECKSUM);
      if (each.name().equals("iterates")) {
        double[] values = PagedDoubles.read(now, true);
        assertThat(values).hasSizeGreaterThan(2);
        now = new PagedDoubles(values, 2, false);
      }
      all.add(pages.write("model", each.name(), now, each, Mark.SHA_256));
    }
    heads.put(
        STATE,
        Codecs.STATE_INDEX.encode(new StateIndex(
            index.position(),
            index.ledgerSequence(),
            index.round(),
            index.before(),
            index.generation(),
            index.digest(),
            index.version(),
            index.versionOffset(),
            false,
            false,
            all)));
  }

  private record Table(Map<String, byte[]> values) implements StateTable {
    @Override
    public byte[] get(String key) {
      return values.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      values.put(key, value);
    }

    @Override
    public void delete(String key) {
      values.remove(key);
    }
  }
}
