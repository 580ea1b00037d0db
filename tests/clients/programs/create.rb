# Creates so many keys at the address, by this token, and prints how many different ones it was told of.
require "json"
require "net/http"
require "securerandom"

address, token, count = ARGV
queue = Queue.new
count.to_i.times { queue << SecureRandom.uuid }
queue.close
keys = Queue.new

workers = Array.new(8) do
  Thread.new do
    uri = URI(address)
    http = Net::HTTP.new(uri.host, uri.port)
    while (id = queue.pop)
      attempts = 0
      begin
        http.start unless http.started?
        # Net::HTTP itself sends it again once.
        path = "/keys/create?data=x&price=1&request=#{id}"
        keys << JSON.parse(http.get(path, "Authorization" => "Bearer #{token}").body)["key"]
      rescue IOError, SystemCallError, Timeout::Error => lost
        warn lost.class
        retry if (attempts += 1) < 6
      end
    end
  end
end
workers.each(&:join)
puts Array.new(keys.size) { keys.pop }.compact.uniq.size
