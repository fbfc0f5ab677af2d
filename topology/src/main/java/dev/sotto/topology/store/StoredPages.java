package dev.sotto.topology.store;

import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.serdes.record.StoredArray;
import dev.sotto.topology.failure.TransientException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Arrays of models as pages of one table. What a page has to be is said by its array's entry in an
 * index, which is kept in another table: the two are restored from two logs.
 */
final class StoredPages {
  private static final int MARK = PageChecksum.BYTES;

  private final StateTable table;

  /** What an index says of a page, in 32 bytes. */
  enum Mark {
    /** Of noisy numbers, which are many. */
    CHECKSUM,
    /** Of few bytes. */
    SHA_256,
    /**
     * Its end: of pages that are authenticated where they are read, whose last 16 bytes are the
     * tag. A page that is not of the commit has another one.
     */
    TAG;

    private byte[] of(byte[] page) {
      if (this == CHECKSUM) {
        return PageChecksum.of(page);
      }
      return this == SHA_256 || page.length < MARK
          ? Sha256.sha256(page)
          : Arrays.copyOfRange(page, page.length - MARK, page.length);
    }
  }

  StoredPages(StateTable table) {
    this.table = table;
  }

  /** The number comes first: a model id may hold anything. */
  static String key(String array, int page, String modelId) {
    return array + "/" + page + "/" + modelId;
  }

  /**
   * Writes the pages that are not stored already, and removes those that the array no longer has.
   *
   * @param stored what is stored under this name, or null
   */
  StoredArray write(String modelId, String name, PagedBytes array, StoredArray stored, Mark mark) {
    ByteBuffer hashes = ByteBuffer.allocate(MARK * array.pages());
    long length = 0;
    for (int page = 0; page < array.pages(); page++) {
      byte[] bytes = array.page(page);
      byte[] hash = mark.of(bytes);
      if (stored == null || !stored.has(page, hash)) {
        table.put(key(name, page, modelId), bytes);
      }
      hashes.put(hash);
      length += bytes.length;
    }
    for (int page = array.pages(); stored != null && page < stored.pages(); page++) {
      table.delete(key(name, page, modelId));
    }
    return new StoredArray(name, length, hashes.array());
  }

  /**
   * A stored array; its pages are fetched, and compared with the index, when they are asked for.
   */
  PagedBytes read(String modelId, StoredArray stored, Mark mark) {
    return new PagedBytes() {
      @Override
      public long length() {
        return stored.length();
      }

      @Override
      public int pages() {
        return stored.pages();
      }

      @Override
      public byte[] page(int page) {
        String key = key(stored.name(), page, modelId);
        byte[] bytes = table.get(key);
        if (bytes == null || !stored.has(page, mark.of(bytes))) {
          throw disagreement("page " + key);
        }
        return bytes;
      }
    };
  }

  static TransientException disagreement(String what) {
    return new TransientException("the two state stores do not agree on " + what
        + ": one of them was restored to an earlier commit, or a file of it is damaged. If this"
        + " stays, remove the state folder, so that both are restored again");
  }
}
