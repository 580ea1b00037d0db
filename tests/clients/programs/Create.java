import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Creates so many keys at the address, by this token, and prints how many different ones it was told of. */
public class Create {
  static final Set<String> KEYS = ConcurrentHashMap.newKeySet();

  public static void main(String[] given) throws InterruptedException {
    ExecutorService workers = Executors.newFixedThreadPool(8);
    for (int n = 0; n < Integer.parseInt(given[2]); n++) workers.submit(() -> create(given[0], given[1]));
    workers.shutdown();
    workers.awaitTermination(1, TimeUnit.HOURS);
    System.out.println(KEYS.size());
  }

  static void create(String address, String token) {
    String path = address + "/keys/create?data=x&price=1&request=" + UUID.randomUUID();
    // HttpURLConnection itself sends it again once, if it used a connection that was open.
    for (int attempt = 0; attempt < 6; attempt++) {
      try {
        HttpURLConnection call = (HttpURLConnection) URI.create(path).toURL().openConnection();
        call.setRequestProperty("Authorization", "Bearer " + token);
        call.setRequestProperty("Accept", "application/json");
        try (InputStream body = call.getInputStream()) {
          String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
          KEYS.add(text.replaceAll(".*\"key\":\"([0-9a-f]{32})\".*", "$1"));
        }
        return;
      } catch (IOException lost) {
        System.err.println(lost);
      }
    }
  }
}
